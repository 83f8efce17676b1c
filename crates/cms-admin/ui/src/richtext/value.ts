// Portable Text as it is stored (https://portabletext.org, "Specification"). Whatever members an object has besides those that are named here, it keeps.

/** Anything with a type: a block, an inline object, the definition of a mark. */
export interface Typed {
  _type: string;
  _key?: string;
  [member: string]: unknown;
}

/** Words that have the same marks. */
export interface Span extends Typed {
  _type: "span";
  text: string;
  /** Names of decorators, and keys of definitions that stand beside the spans. */
  marks?: string[];
}

/** A paragraph, a heading, a quotation or an item of a list. */
export interface TextBlock extends Typed {
  _type: "block";
  style?: string;
  listItem?: string;
  level?: number;
  markDefs?: Typed[];
  children: Typed[];
}

/** A value of rich text. What a program wrote wrongly among its blocks is kept, so any of them may be something else at run time: ask `isTyped`. */
export type Blocks = Typed[];

/** A value of rich text, as the rest of the application calls it. */
export type PortableText = Blocks;

export function isSpan(child: Typed): child is Span {
  return child._type === "span" && typeof child.text === "string";
}

/** Whether a block is made of text in the way that this editor can show. */
export function isTextBlock(block: Typed): block is TextBlock {
  return block._type === "block" && isList(block.children) && (block.markDefs === undefined || isList(block.markDefs)) && areMarks(block.children);
}

/** Whether something is a list of things with types. */
export function isList(value: unknown): value is Typed[] {
  return Array.isArray(value) && value.every(isTyped);
}

export function isTyped(value: unknown): value is Typed {
  return typeof value === "object" && value !== null && !Array.isArray(value) && typeof (value as Typed)._type === "string";
}

/** Whether the marks of all spans are lists of names. */
export function areMarks(children: Typed[]): boolean {
  return children.every(({ _type, marks }) => _type !== "span" || marks === undefined || (Array.isArray(marks) && marks.every((mark) => typeof mark === "string")));
}

/** As long as keys that the server makes up, and as likely to be two alike: two in 10¹⁴ lists. */
const KEY = 12;

/** A key for something new. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY / 2));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
