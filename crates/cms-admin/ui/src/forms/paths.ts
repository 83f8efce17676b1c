// Places in the values of a form, as in `items.2.title`.

/** A path as the server writes it, `items[2].title` or `items.2.title`, as forms have it. */
export function normal(path: string): string {
  return path.replace(/\[(\d+)\]/g, ".$1").replace(/^\./, "");
}

/** What is at a place. */
export function at(values: unknown, path: string): unknown {
  return path === "" ? values : path.split(".").reduce<unknown>((value, name) => (isMap(value) || Array.isArray(value) ? (value as Record<string, unknown>)[name] : undefined), values);
}

/** The values with something else at a place. Nothing else is made anew. */
export function withAt<Values>(values: Values, path: string, value: unknown): Values {
  if (path === "") return value as Values;
  const [name = "", ...rest] = path.split(".");
  const inner = withAt(at(values, name), rest.join("."), value);
  if (Array.isArray(values)) return values.with(Number(name), inner) as Values;
  return { ...values, [name]: inner };
}

/** Where two values differ, as deep as they are alike, with what is there in the second. A list of another length is another list. */
export function changes(before: unknown, after: unknown, path = ""): [path: string, value: unknown][] {
  if (Object.is(before, after)) return [];
  const isAlike = (isMap(before) && isMap(after)) || (Array.isArray(before) && Array.isArray(after) && before.length === after.length);
  if (!isAlike) return [[path, after]];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changes(at(before, name), at(after, name), path ? `${path}.${name}` : name));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** Whether one place is the other, is in it, or holds it. */
export function touches(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}
