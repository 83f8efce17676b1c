// What stands behind the question mark of an address, as text: a search for “2026” is no number, and what applications send comes through as it is.

/** The parts of a search, each as the text that it is. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** A search as it stands in an address; what is undefined is left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parts = Object.entries(search).filter((part): part is [string, string | number | boolean] => part[1] !== undefined && part[1] !== null);
  const text = new URLSearchParams(parts.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** The named parts of a search that are there and not empty. */
export function textOf<Name extends string>(search: Record<string, unknown>, ...names: Name[]): Partial<Record<Name, string>> {
  const found = names.flatMap((name) => (typeof search[name] === "string" && search[name] !== "" ? [[name, search[name]]] : []));
  return Object.fromEntries(found) as Partial<Record<Name, string>>;
}
