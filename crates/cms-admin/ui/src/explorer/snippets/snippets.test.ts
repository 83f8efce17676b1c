import { execFileSync } from "node:child_process";

import fc from "fast-check";
import { expect, it } from "vitest";

import { addressOf, headersOf, isSegment, type Call } from "./call";
import { curl, quoted } from "./curl";
import { snippets } from "./snippets";

const SITE = { origin: "https://cms.example.com", prefix: "/_cms" };

const list: Call = {
  operationId: "listContent",
  method: "GET",
  path: "/content/{collection}",
  parameters: [
    { in: "path", name: "collection", value: "articles" },
    { in: "query", name: "limit", value: "10", isJson: true },
    { in: "query", name: "orderBy", value: "10" },
  ],
};

const update: Call = {
  operationId: "updateContent",
  method: "PUT",
  path: "/content/{collection}/{id}",
  parameters: [
    { in: "path", name: "collection", value: "articles" },
    { in: "path", name: "id", value: "it's" },
  ],
  body: '{"data": {"title": "It\'s $HOME", "views": 12345678901234567890}}',
};

/** What a shell gives to a program for a line, word by word. */
function wordsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\nCMS_TOKEN=secret\n${line}`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

it("writes a question as a line for a shell", () => {
  expect(snippets(list, SITE).curl).toBe(
    `curl 'https://cms.example.com/_cms/api/content/articles?limit=10&orderBy=10' \\\n  --header "Authorization: Bearer $CMS_TOKEN"`,
  );
});

it("gives curl the method, the address and the body as they are", () => {
  expect(wordsOf(curl(update, SITE))).toEqual([
    "--request", "PUT", "https://cms.example.com/_cms/api/content/articles/it's",
    "--header", "Authorization: Bearer secret",
    "--header", "Content-Type: application/json",
    "--data-raw", update.body,
  ]);
});

it("makes one word of any text, and nothing that a shell or a terminal would do", () => {
  const nasty = ["$(id)", "`id`", "'; id; '", '"', "\\", "!x", "a\nb", "\u001b[201~\nid\n", "\u009b201~", "-o", "~", "*", "é😀", "", "#", "\r", "\t'", "\\'\u0007"];
  const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: "binary" }), fc.array(fc.constantFrom(...nasty)).map((parts) => parts.join("")));
  const texts = [...nasty, ...fc.sample(text, 300)].map((text) => text.replaceAll("\0", "").toWellFormed());
  const words = texts.map(quoted);
  // eslint-disable-next-line no-control-regex -- these are the characters that are meant
  for (const word of words) expect(word).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  expect(wordsOf(`curl ${words.join(" ")}`)).toEqual(texts);
});

it("keeps what is typed out of options, files and other addresses of curl", () => {
  const body = "@/etc/passwd";
  const words = wordsOf(curl({ ...update, parameters: [{ in: "path", name: "collection", value: "{a,b}[1-9]" }], body }, SITE));
  expect(words).toContain("https://cms.example.com/_cms/api/content/%7Ba%2Cb%7D%5B1-9%5D/{id}");
  expect(words).toContain("--globoff");
  expect(words.slice(-2)).toEqual(["--data-raw", body]);
});

it("writes a program that asks for the same", () => {
  expect(snippets(list, SITE).typescript).toBe(`const response = await fetch("https://cms.example.com/_cms/api/content/articles?limit=10&orderBy=10", {
  headers: {
    authorization: \`Bearer \${process.env.CMS_TOKEN}\`,
  },
});
const { success, data, error } = await response.json();
if (!success) throw new Error(\`\${error.code}: \${error.message}\`);
console.log(data);`);
});

/** What a program gives to `fetch`. */
async function sentBy(program: string): Promise<{ url: string; options: { method?: string; headers: Record<string, string>; body?: string } }> {
  const { constructor: Program } = Object.getPrototypeOf(sentBy) as { constructor: new (...parts: string[]) => (...values: unknown[]) => Promise<void> };
  let sent: unknown;
  const fetch = (url: string, options: unknown) => ((sent = { url, options }), Promise.resolve({ ok: true, json: () => ({ success: true }) }));
  await new Program("fetch", "process", "console", program)(fetch, { env: { CMS_TOKEN: "secret" } }, { log: () => undefined });
  return sent as Awaited<ReturnType<typeof sentBy>>;
}

it("has programs send any body as it was typed", async () => {
  const bodies = [update.body, '{"__proto__": {"a": 1}}', '{"a": 1, "a": 2}', "{not json", "`${id}`", "</script>", '"\u2028"', ...fc.sample(fc.json(), 100)] as string[];
  for (const body of bodies) {
    const { url, options } = await sentBy(snippets({ ...update, body }, SITE).typescript);
    expect(url).toBe("https://cms.example.com/_cms/api/content/articles/it's");
    expect(options).toMatchObject({ method: "PUT", headers: { authorization: "Bearer secret", "content-type": "application/json" } });
    // Spaces between members do not matter; a number that would change does.
    if (options.body !== body) expect(options.body).toBe(JSON.stringify(JSON.parse(body)));
  }
  expect((await sentBy(snippets(update, SITE).typescript)).options.body).toContain("12345678901234567890");
});

it("calls the tool with the parameters and the members of the body, numbers as they are", () => {
  expect(snippets(update, SITE).mcp).toBe(`{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "tools/call",
  "params": {
    "name": "content_update",
    "arguments": {
      "collection": "articles",
      "id": "it's",
      "data": {
        "title": "It's $HOME",
        "views": 12345678901234567890
      }
    }
  }
}`);
  expect(snippets(list, SITE).mcp).toContain('"limit": 10,\n      "orderBy": "10"');
});

it("has no call of a tool where there is none, or no object to give to it", () => {
  expect(snippets({ ...list, operationId: "constructor" }, SITE).mcp).toBeUndefined();
  for (const body of ["{", "[]", "1"]) expect(snippets({ ...update, body }, SITE).mcp).toBeUndefined();
  expect(snippets({ ...list, operationId: "mine", tool: "own_tool" }, SITE).mcp).toContain('"own_tool"');
});

it("sends files from where they are, and reads streams as they come", () => {
  const file: Call = { operationId: "startImport", method: "POST", path: "/admin/imports", parameters: [], body: { file: "my file.ndjson", mediaType: "application/x-ndjson" } };
  expect(wordsOf(curl(file, SITE)).slice(-2)).toEqual(["--data-binary", "@my file.ndjson"]);
  expect(snippets(file, SITE).typescript).toContain('await readFile("my file.ndjson")');
  expect(snippets({ ...list, answer: "events" }, SITE).curl).toContain("--no-buffer");
});

it("encodes whatever stands in an address, and keeps the braces of what is not given", () => {
  const parameters = [{ in: "query" as const, name: "a&b", value: "c=d/é\ud800" }];
  expect(addressOf({ path: "/content/{collection}", parameters })).toBe("/content/{collection}?a%26b=c%3Dd%2F%C3%A9%EF%BF%BD");
  expect(addressOf({ path: "/{a}", parameters: [{ in: "path", name: "a", value: "$&/.." }] })).toBe("/%24%26%2F..");
  for (const value of ["", ".", ".."]) expect(isSegment(value)).toBe(false);
});

it("has no header in another one", () => {
  expect(headersOf({ parameters: [{ in: "header", name: "If-None-Match", value: '"a"\r\nX-Evil: 1' }] })).toEqual([["If-None-Match", '"a" X-Evil: 1']]);
});
