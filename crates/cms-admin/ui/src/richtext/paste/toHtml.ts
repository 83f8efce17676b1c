// Blocks as HTML and as plain text: what other programs get when something is copied.

import { escapeHTML, toHTML, type PortableTextComponents } from "@portabletext/to-html";

import { isLinkAddress } from "../address";
import { isSpan, isTextBlock, isTyped, type Blocks, type Typed } from "../value";

const text = (value: unknown) => escapeHTML(typeof value === "string" ? value : "");
const list = (value: unknown): Typed[] => (Array.isArray(value) ? (value as unknown[]).filter((item): item is Typed => typeof item === "object" && item !== null) : []);

const components: PortableTextComponents = {
  types: {
    code: ({ value }: { value: Typed }) => `<pre><code${typeof value.language === "string" ? ` class="language-${text(value.language)}"` : ""}>${text(value.code)}</code></pre>`,
    break: () => "<hr>",
    table: ({ value }: { value: Typed }) => `<table><tbody>${list(value.rows).map((row) => `<tr>${list(row.cells).map(cell).join("")}</tr>`).join("")}</tbody></table>`,
    image: ({ value }: { value: Typed }) => picture(value),
    callout: ({ value }: { value: Typed }) => `<blockquote>${toHtml(list(value.content))}</blockquote>`,
    toggle: ({ value }: { value: Typed }) => `<details><summary>${text(value.title)}</summary>${toHtml(list(value.content))}</details>`,
    columns: ({ value }: { value: Typed }) => list(value.columns).map(({ content }) => toHtml(list(content))).join(""),
    button: ({ value }: { value: Typed }) => `<p>${anchor(value.url, text(value.text))}</p>`,
    embed: ({ value }: { value: Typed }) => `<p>${anchor(value.url, text(value.url))}</p>`,
  },
  marks: {
    link: ({ value, children }: { value?: Typed; children: string }) => anchor(value?.href, children),
    underline: ({ children }) => `<u>${children}</u>`,
    "strike-through": ({ children }) => `<s>${children}</s>`,
    subscript: ({ children }) => `<sub>${children}</sub>`,
    superscript: ({ children }) => `<sup>${children}</sup>`,
  },
  unknownType: () => "",
  unknownMark: ({ children }) => children,
  unknownBlockStyle: ({ children }) => `<p>${children ?? ""}</p>`,
};

function anchor(address: unknown, inside: string): string {
  return isLinkAddress(address) && address !== "" ? `<a href="${escapeHTML(address)}">${inside}</a>` : inside;
}

function picture({ asset, alt }: Typed): string {
  const url = isObject(asset) ? asset.url : undefined;
  return typeof url === "string" && /^https?:/i.test(url) ? `<img src="${text(url)}" alt="${text(alt)}">` : "";
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function cell({ content, markDefs, isHeader }: Typed): string {
  const tag = isHeader === true ? "th" : "td";
  const inside = toHTML({ _type: "block", style: "cell", children: list(content), markDefs: list(markDefs) }, {
    components: { ...components, block: { cell: ({ children }) => children ?? "" } },
    onMissingComponent: false,
  });
  return `<${tag}>${inside}</${tag}>`;
}

export function toHtml(blocks: Blocks): string {
  // What only looks like text would stop the library.
  const whole = blocks.filter((block) => isTyped(block) && (block._type !== "block" || isTextBlock(block)));
  return toHTML(whole, { components, onMissingComponent: false });
}

const wordsOf = (children: unknown) => list(children).map((child) => (isTyped(child) && isSpan(child) ? child.text : "")).join("");

/** The words alone, a line for each block. */
export function toText(blocks: Blocks): string {
  return blocks
    .filter(isTyped)
    .map((block) => {
      if (isTextBlock(block)) {
        const before = block.listItem ? `${"  ".repeat(Math.max((typeof block.level === "number" ? block.level : 1) - 1, 0))}${block.listItem === "number" ? "1." : "-"} ` : "";
        return before + wordsOf(block.children);
      }
      if (block._type === "code") return typeof block.code === "string" ? block.code : "";
      if (block._type === "table") return list(block.rows).map(({ cells }) => list(cells).map(({ content }) => wordsOf(content)).join("\t")).join("\n");
      if (block._type === "columns") return list(block.columns).map(({ content }) => toText(list(content))).join("\n\n");
      return [block.title, block.text, Array.isArray(block.content) ? toText(list(block.content)) : "", block.url].filter((part) => typeof part === "string" && part !== "").join("\n");
    })
    .join("\n\n");
}
