import { beforeAll, describe, expect, it } from "vitest";

import { block, caret, mount, settled, texts, until, type Mounted } from "../testing/mounted";
import type { Typed } from "../value";
import { BLOCKS } from "./clipboard";
import strikethrough from "./fixtures/gdocs-strikethrough-link.html?raw";
import expected from "./fixtures/gdocs-lists.expected.json";
import lists from "./fixtures/gdocs-lists.html?raw";
import guide from "./fixtures/guide.gdocs.html?raw";
import word from "./fixtures/guide.word.html?raw";
import { MAX_LINE } from "./limits";

// The policy of the application: styles that are written into a page do not count.
beforeAll(() => {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "style-src 'self'";
  document.head.append(policy);
});

function send(page: Mounted, type: "paste" | "copy" | "cut", data: Record<string, string> = {}): DataTransfer {
  const clipboardData = new DataTransfer();
  for (const [kind, value] of Object.entries(data)) clipboardData.setData(kind, value);
  page.text.dispatchEvent(new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true }));
  return clipboardData;
}

async function pasted(data: Record<string, string>): Promise<{ page: Mounted; blocks: Typed[] }> {
  const page = await mount([]);
  page.text.focus();
  send(page, "paste", data);
  await settled();
  return { page, blocks: page.value as Typed[] };
}

const html = async (html: string) => (await pasted({ "text/html": html, "text/plain": "-" })).blocks;
const shape = (blocks: Typed[]) => blocks.map(({ _type, style, listItem, level, children }) => [_type, style, listItem, level, ((children ?? []) as Typed[]).map(({ text }) => text).join("")].filter((part) => part !== undefined));
const marksOf = (blocks: Typed[], words: string) => blocks.flatMap(({ children }) => (children ?? []) as Typed[]).find(({ text }) => text === words)?.marks;

describe("what word processors copy", () => {
  it("is not all bold when it comes from Google Docs", async () => {
    const blocks = await html(guide);
    expect(blocks.length).toBeGreaterThan(5);
    const spans = blocks.flatMap(({ children }) => (children ?? []) as Typed[]);
    const bold = spans.filter(({ marks }) => (marks as string[] | undefined)?.includes("strong"));
    expect(bold.length).toBeGreaterThan(0);
    expect(bold.length).toBeLessThan(spans.length / 2);
    expect(blocks.some(({ style }) => /^h[1-6]$/.test(String(style)))).toBe(true);
  });

  it("keeps lists of Google Docs, with their levels", async () => {
    const items = (blocks: Typed[]) => shape(blocks.filter(({ listItem }) => listItem));
    const blocks = await html(lists);
    expect(items(blocks)).toEqual(items(expected));
    expect(items(blocks).length).toBeGreaterThan(10);
    expect(blocks[0]).toMatchObject({ style: "normal", children: [{ text: "Heading in bold", marks: ["strong"] }] });
  });

  it("keeps links that are struck through", async () => {
    const blocks = await html(strikethrough);
    expect(shape(blocks)).toEqual([["block", "normal", "Normal strikethrough"], ["block", "normal", "Normal link"], ["block", "normal", "Link with strikethrough"]]);
    expect(blocks[2]).toMatchObject({ markDefs: [{ _type: "link", href: "http://sanity.io" }] });
    expect(marksOf(blocks, "Link with strikethrough")).toContain("strike-through");
  });

  it("keeps headings, lists and tables of Word", async () => {
    const blocks = await html(word);
    expect(blocks.some(({ style }) => /^h[1-6]$/.test(String(style)))).toBe(true);
    expect(blocks.some(({ listItem }) => listItem === "bullet")).toBe(true);
    expect(texts(blocks).join("\n")).not.toContain("mso-");
  });

  it("keeps what Notion marks", async () => {
    const blocks = await html('<!-- notionvc: 1 --><h2>Plan</h2><p>One <span style="font-weight:600" data-token-index="1">bold</span></p><ul><li>a<ul><li>b</li></ul></li></ul>');
    expect(shape(blocks)).toEqual([["block", "h2", "Plan"], ["block", "normal", "One bold"], ["block", "normal", "bullet", 1, "a"], ["block", "normal", "bullet", 2, "b"]]);
    expect(marksOf(blocks, "bold")).toEqual(["strong"]);
  });
});

describe("a page that is pasted", () => {
  it("brings nothing that runs", async () => {
    const { page, blocks } = await pasted({
      "text/html": '<p onclick="steal()">Hi <a href="javascript:steal()">there</a><script>steal()</script><style>p{color:red}</style></p><iframe src="https://evil.example"></iframe><img src=x onerror=steal()><svg onload=steal()></svg>',
      "text/plain": "Hi there",
    });
    expect(JSON.stringify(blocks)).not.toMatch(/steal|script|onclick|onerror|iframe|color:red/);
    expect(texts(blocks).join("")).toBe("Hi there");
    expect(page.text.querySelector("script, iframe, style, [onclick], a[href^=javascript]")).toBeNull();
  });

  it("brings tables, code with its language, lines and marks", async () => {
    const blocks = await html('<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td><b>2</b></td></tr></tbody></table><pre><code class="language-rust">fn main() {}\n  x</code></pre><hr><p>H<sub>2</sub>O</p>');
    expect(blocks.map(({ _type }) => _type)).toEqual(["table", "code", "break", "block"]);
    expect(blocks[0]).toMatchObject({ hasHeaderRow: true, rows: [{ cells: [{ isHeader: true, content: [{ text: "A" }] }, {}] }, { cells: [{}, { content: [{ text: "2", marks: ["strong"] }] }] }] });
    expect(blocks[1]).toMatchObject({ code: "fn main() {}\n  x", language: "rust" });
    expect(marksOf(blocks, "2")).toEqual(["subscript"]);
  });

  it("is words in a block of code", async () => {
    const page = await mount([{ _type: "code", _key: "c", code: "a" }]);
    caret(page.text, 0, 0);
    page.text.querySelector<HTMLElement>("code")?.click();
    const code = page.text.querySelector("code");
    getSelection()?.setBaseAndExtent(code?.firstChild ?? page.text, 1, code?.firstChild ?? page.text, 1);
    await settled();
    send(page, "paste", { "text/html": "<b>b</b>", "text/plain": "b\n c" });
    await settled();
    expect(page.value).toMatchObject([{ _type: "code", code: "ab\n c" }]);
  });
});

describe("text that is pasted", () => {
  it("is paragraphs where lines are empty, and lines otherwise", async () => {
    expect(texts((await pasted({ "text/plain": "one\ntwo\r\n\r\nthree\n" })).blocks)).toEqual(["one\ntwo", "three"]);
  });

  it("becomes what it says in Markdown", async () => {
    const { page } = await pasted({ "text/plain": "## Title\n\n- one\n- **two**\n\n```js\nx\n```\n" });
    await until(() => (page.value as Typed[]).length > 3);
    expect((page.value as Typed[]).map(({ _type, style, listItem }) => [_type, style, listItem])).toEqual([["block", "h2", undefined], ["block", "normal", "bullet"], ["block", "normal", "bullet"], ["code", undefined, undefined]]);
  });

  it("makes the selected words a link when it is an address", async () => {
    const page = await mount([block("a", "go there")]);
    caret(page.text, 0, 0);
    const words = page.text.querySelector("p")?.firstChild;
    getSelection()?.setBaseAndExtent(words ?? page.text, 3, words ?? page.text, 8);
    await settled();
    send(page, "paste", { "text/plain": "https://example.org/x" });
    await settled();
    expect(page.value).toMatchObject([{ markDefs: [{ _type: "link", href: "https://example.org/x" }], children: [{ text: "go " }, { text: "there" }] }]);
  });

  it("of a million letters in a line is cut, and said", async () => {
    const { page, blocks } = await pasted({ "text/plain": "x".repeat(1_000_000) });
    expect(texts(blocks).join("").length).toBe(1_000_000);
    expect(Math.max(...texts(blocks).map(({ length }) => length))).toBeLessThanOrEqual(MAX_LINE);
    await until(() => document.body.textContent.includes("Very long lines were split"));
    expect(page.text.isConnected).toBe(true);
  });

  it("of ten megabytes is refused in words, and nothing is lost", async () => {
    const page = await mount([block("a", "mine")]);
    caret(page.text, 0, 4);
    send(page, "paste", { "text/plain": "lorem ipsum ".repeat(900_000), "text/html": `<p>${"lorem ipsum ".repeat(900_000)}</p>` });
    await until(() => document.body.textContent.includes("too much to paste"));
    expect(texts(page.value)).toEqual(["mine"]);
  });
});

describe("our own copies", () => {
  const value = [
    block("a", "Title", { style: "h2", custom: { x: 1 } }),
    { _type: "hero", _key: "h", nested: [{ a: null }] },
    block("b", "item", { listItem: "number", level: 3, listStart: 4 }),
    { _type: "callout", _key: "c", tone: "tip", content: [block("x", "inside")], more: 1 },
    { _type: "table", _key: "t", rows: [{ _key: "r", cells: [{ _key: "c", content: [{ _type: "span", _key: "s", text: "cell", marks: [] }], width: 4 }] }] },
    block("e", "end"),
  ];

  it("lose nothing on the way", async () => {
    const page = await mount(value);
    page.text.focus();
    document.getSelection()?.selectAllChildren(page.text);
    await settled();
    const copied = send(page, "copy");
    const other = await mount([]);
    other.text.focus();
    send(other, "paste", Object.fromEntries([BLOCKS, "text/html", "text/plain"].map((kind) => [kind, copied.getData(kind)])));
    await settled();
    expect(other.value).toEqual(value);
  });

  it("are HTML and text for others", async () => {
    const page = await mount(value);
    page.text.focus();
    document.getSelection()?.selectAllChildren(page.text);
    await settled();
    const copied = send(page, "copy");
    expect(copied.getData("text/html")).toContain("<h2>Title</h2>");
    expect(copied.getData("text/html")).toContain("<td>cell</td>");
    expect(copied.getData("text/plain")).toContain("inside");
  });
});
