// One call of the API, as the form has it and as it is written for other programs.

/** What is given for a parameter. */
export interface Argument {
  name: string;
  in: "path" | "query" | "header";
  /** As it stands in an address, before anything is encoded. */
  value: string;
  /** Whether the value is JSON, as numbers, truth values and objects are: tools are given those unquoted. */
  isJson?: boolean;
}

export interface Call {
  /** As in `listContent`. */
  operationId: string;
  /** As in `GET`. */
  method: string;
  /** Below the address of the API, with its parameters in braces, as in `/content/{collection}`. */
  path: string;
  /** Those that are given. A path keeps the braces of those that are not. */
  parameters: Argument[];
  /** JSON as it was typed, or a file that is sent as it is. */
  body?: string | { file: string; mediaType: string };
  /** The tool that does the same. Where nothing is said, it is the one that `TOOLS` has. */
  tool?: string;
  /** What comes back; JSON where nothing is said. */
  answer?: "json" | "events" | "file";
}

/** Where the API is. */
export interface Site {
  /** As in `https://cms.example.com`. */
  origin: string;
  /** Where the server's own addresses begin, as in `/_cms`. */
  prefix: string;
}

/** The address of a call, below the API, with its query. */
export function addressOf({ path, parameters }: Pick<Call, "path" | "parameters">): string {
  const given = (place: Argument["in"]) => parameters.filter((argument) => argument.in === place);
  const filled = given("path").reduce((path, { name, value }) => path.replaceAll(`{${name}}`, () => encoded(value)), path);
  const query = given("query").map(({ name, value }) => `${encoded(name)}=${encoded(value)}`);
  return query.length > 0 ? `${filled}?${query.join("&")}` : filled;
}

/** Headers cannot have line breaks: what follows one would be another header. */
export function headersOf({ parameters }: Pick<Call, "parameters">): [name: string, value: string][] {
  return parameters.filter((argument) => argument.in === "header").map(({ name, value }) => [name, value.replace(/[\r\n\0]+/g, " ")]);
}

/** Whether a value can stand in a path: browsers and proxies take those two for steps. */
export function isSegment(value: string): boolean {
  return value !== "" && value !== "." && value !== "..";
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
