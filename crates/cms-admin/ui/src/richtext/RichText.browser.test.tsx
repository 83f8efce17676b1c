import { userEvent } from "vitest/browser";
import { describe, expect, it } from "vitest";

import { block, caret, mount, settled, texts, until } from "./testing/mounted";
import type { Typed } from "./value";

const type = (keys: string) => userEvent.keyboard(keys);

describe("who writes", () => {
  it("changes the block that is written in, and nothing else", async () => {
    const value = [block("a", "one"), { _type: "hero", _key: "h", nested: [1] }, block("b", "two")];
    const page = await mount(value);
    caret(page.text, 2, 3);
    await type(" more");
    await settled();
    expect(texts(page.value)[2]).toBe("two more");
    expect((page.value as unknown[])[0]).toBe(value[0]);
    expect((page.value as unknown[])[1]).toBe(value[1]);
  });

  it("has nobody look through the other blocks, which a long text is made of", async () => {
    const page = await mount([block("a", "one"), block("b", "two")]);
    const other = page.text.lastElementChild as Element;
    const first = other.firstChild;
    let looks = 0;
    Object.defineProperty(other, "firstChild", { get: () => (looks++, first) });
    caret(page.text, 0, 3);
    await type(" more");
    await settled();
    expect(texts(page.value)[0]).toBe("one more");
    expect(looks).toBe(0);
  });

  it("begins a block with Enter, and a paragraph after a heading", async () => {
    const page = await mount([block("a", "Title", { style: "h2" })]);
    caret(page.text, 0, 5);
    await type("{Enter}words");
    await settled();
    expect(page.value).toMatchObject([{ _key: "a", style: "h2" }, { style: "normal", children: [{ text: "words" }] }]);
  });

  it("presses a key where the caret went just before, although no event has told of it yet", async () => {
    const page = await mount([block("a", "one"), block("b", "two")]);
    caret(page.text, 0, 0);
    await settled();
    getSelection()?.collapse(page.text.lastElementChild, page.text.lastElementChild?.childNodes.length ?? 0);
    page.text.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", keyCode: 13, bubbles: true, cancelable: true }));
    await type("three");
    await settled();
    expect(texts(page.value)).toEqual(["one", "two", "three"]);
  });

  it("sets marks by keyboard, several on the same words", async () => {
    const page = await mount([]);
    page.text.focus();
    await type("a {Control>}bi{/Control}b{Control>}b{/Control}c");
    await settled();
    expect((page.value as Typed[])[0]?.children).toMatchObject([
      { text: "a ", marks: [] },
      { text: "b", marks: ["strong", "em"] },
      { text: "c", marks: ["em"] },
    ]);
  });

  it("makes lists deeper with Tab, and leaves them with Enter and Backspace", async () => {
    const page = await mount([block("a", "one", { listItem: "bullet", level: 1 })]);
    caret(page.text, 0, 3);
    await type("{Enter}{Tab}two{Enter}{Enter}three{Enter}{Enter}four");
    await settled();
    expect((page.value as Typed[]).map(({ listItem, level }) => [listItem, level])).toEqual([
      ["bullet", 1],
      ["bullet", 2],
      ["bullet", 1],
      [undefined, undefined],
    ]);
    expect(texts(page.value)).toEqual(["one", "two", "three", "four"]);
  });

  it("leaves the editor with Tab after Escape, even from a list", async () => {
    const page = await mount([block("a", "one", { listItem: "bullet", level: 1 }), block("b", "two", { listItem: "bullet", level: 1 })]);
    const after = document.createElement("button");
    document.body.append(after);
    caret(page.text, 1, 1);
    await type("{Tab}");
    expect(document.activeElement).toBe(page.text);
    await type("{Escape}{Tab}");
    expect(document.activeElement).not.toBe(page.text);
  });

  it("lets whoever only passes by Tab through, also where Tab belongs to the text", async () => {
    const page = await mount([block("a", "one", { listItem: "bullet", level: 1 }), block("b", "two", { listItem: "bullet", level: 1 })]);
    const after = document.createElement("button");
    document.body.append(after);
    caret(page.text, 1, 1);
    await settled();
    after.focus();
    await type("{Shift>}{Tab}{/Shift}");
    expect(document.activeElement).toBe(page.text);
    await type("{Tab}");
    expect(document.activeElement).toBe(after);
    await type("{Shift>}{Tab}{/Shift}");
    // ProseMirror puts the caret back a moment after the focus came.
    await settled();
    await type("{ArrowLeft}{Tab}");
    await settled();
    expect(document.activeElement).toBe(page.text);
    expect((page.value as Typed[]).map(({ level }) => level)).toEqual([1, 2]);
  });

  it("leads back into the text from the menu of a block, and from what stands over code", async () => {
    const page = await mount([{ _type: "code", _key: "c", language: "js", code: "let x" }]);
    caret(page.text, 0, 0);
    await type("{Control>}/{/Control}");
    await until(() => document.querySelector("[role=menu]"));
    await type("{Escape}");
    await until(() => document.activeElement === page.text);
    const language = page.text.querySelector<HTMLInputElement>("[aria-label=Language]");
    language?.focus();
    await type("x{Enter}y");
    await settled();
    expect(document.activeElement).toBe(page.text);
    expect(page.value).toMatchObject([{ language: "jsx", code: "ylet x" }]);
  });

  it("goes from cell to cell with Tab, and to a new row behind the last one", async () => {
    const cell = (key: string, text: string) => ({ _type: "tableCell", _key: key, content: [{ _type: "span", _key: `${key}s`, text, marks: [] }] });
    const page = await mount([{ _type: "table", _key: "t", rows: [{ _type: "tableRow", _key: "r", cells: [cell("a", "one"), cell("b", "two")] }] }]);
    caret(page.text, 0, 3);
    await type("!{Tab}{End}!{Tab}three{Tab}four");
    await settled();
    expect(document.activeElement).toBe(page.text);
    const [{ rows }] = page.value as [{ rows: { cells: Typed[] }[] }];
    expect(rows.map(({ cells }) => cells.map(({ content }) => (content as Typed[]).map(({ text }) => text).join("")))).toEqual([
      ["one!", "two!"],
      ["three", "four"],
    ]);
  });

  it("writes at once in what is put in, and goes on behind it with Enter", async () => {
    const page = await mount([]);
    page.text.focus();
    for (const [name, words, what] of [["embed", "https://www.example.com/a", "Address of what to embed"], ["button", "Read", "Text of the button"]] as const) {
      await type(`/${name}{Enter}`);
      await until(() => document.activeElement?.getAttribute("aria-label") === what);
      await type(`${words}{Enter}`);
      expect(document.activeElement).toBe(page.text);
    }
    await type("after /html{Enter}");
    await until(() => document.activeElement?.getAttribute("aria-label") === "HTML");
    await settled();
    expect(page.value).toMatchObject([{ _type: "embed", url: "https://www.example.com/a" }, { _type: "button", text: "Read" }, { _type: "block" }, { _type: "htmlBlock" }, { _type: "block" }]);
  });

  it("asks for the address of an image that is put in", async () => {
    const page = await mount([]);
    page.text.focus();
    await type("/image{Enter}");
    await until(() => document.activeElement?.closest("[role=dialog]"));
    await type("/a.png{Escape}");
    await until(() => document.activeElement === page.text);
    await type("{Enter}after");
    await settled();
    expect(page.value).toMatchObject([{ _type: "image", asset: { url: "/a.png" } }, { _type: "block", children: [{ text: "after" }] }]);
  });

  it("sends for no image of another site that somebody put into the text before it is asked for", async () => {
    sessionStorage.clear();
    const address = (host: string) => ({ asset: { url: `https://${host}/a.png` } });
    const images = [{ _type: "image", ...address("one.example") }, { _type: "image", ...address("two.example") }];
    await mount([{ _type: "image", _key: "i", ...address("one.example"), alt: "Loom" }, { _type: "gallery", _key: "g", images }]);
    await until(() => document.querySelector(".rt-object button"));
    const asked = () => [...document.querySelectorAll<HTMLButtonElement>(".rt-object button")].filter(({ textContent }) => /^Show image/.test(textContent));
    expect(asked().map(({ textContent }) => textContent)).toEqual(["Show image from one.example", "Show images from one.example", "Show images from two.example"]);
    expect(document.querySelectorAll("img[src]")).toHaveLength(0);
    await userEvent.click(asked()[0] ?? document.body);
    await until(() => asked().length === 1);
    expect(asked()[0]?.textContent).toBe("Show images from two.example");
    expect(document.querySelectorAll("img[src*='two.example']")).toHaveLength(0);
  });

  it("puts behind a table what no cell can be", async () => {
    const cell = { _type: "tableCell", _key: "a", content: [{ _type: "span", _key: "s", text: "one", marks: [] }] };
    const page = await mount([{ _type: "table", _key: "t", rows: [{ _type: "tableRow", _key: "r", cells: [cell] }] }]);
    caret(page.text, 0, 1);
    await userEvent.click(await until(() => document.querySelector("[role=toolbar] [aria-label=Insert]")));
    await userEvent.click(await until(() => [...document.querySelectorAll("[role=menuitem]")].find(({ textContent }) => textContent === "Heading 2")));
    await until(() => document.activeElement === page.text);
    await type("Below");
    await settled();
    expect(page.value).toMatchObject([{ _type: "table" }, { style: "h2", children: [{ text: "Below" }] }]);
  });

  it("finds names of two words behind a slash, and leaves other slashes in the text", async () => {
    const page = await mount([]);
    page.text.focus();
    await type("/heading 3{Enter}Parts{Enter}one /or other{Enter}last");
    await settled();
    expect(texts(page.value)).toEqual(["Parts", "one /or other", "last"]);
    expect(page.value).toMatchObject([{ style: "h3" }, { style: "normal" }, { style: "normal" }]);
  });

  it("colours code as it is written, and leaves the colours of other code alone", async () => {
    const page = await mount([block("a", "words"), { _type: "code", _key: "c", language: "rust", code: "fn one() {}" }, { _type: "code", _key: "d", language: "rust", code: "fn two() {}" }]);
    const keywords = () => [...page.text.querySelectorAll("pre")].map((code) => [...code.querySelectorAll(".hljs-keyword")].map((word) => word.textContent));
    await until(() => keywords().flat().length === 2);
    const other = page.text.querySelector("pre:last-of-type .hljs-keyword");
    caret(page.text, 0, 5);
    await type("{Enter}more");
    expect(keywords()).toEqual([["fn"], ["fn"]]);
    caret(page.text, 2, 11);
    await type(" pub");
    await until(() => keywords()[0]?.length === 2);
    expect(keywords()).toEqual([["fn", "pub"], ["fn"]]);
    expect(page.text.querySelector("pre:last-of-type .hljs-keyword")).toBe(other);
    await type("{Control>}z{/Control}");
    await until(() => keywords()[0]?.length === 1);
  });

  it("says in the toolbar what the caret is in", async () => {
    const cell = { _type: "tableCell", _key: "a", content: [{ _type: "span", _key: "s", text: "one", marks: [] }] };
    const page = await mount([{ _type: "table", _key: "t", rows: [{ _type: "tableRow", _key: "r", cells: [cell] }] }]);
    caret(page.text, 0, 1);
    await until(() => document.querySelector("[aria-label='Type of block: Table']"));
  });

  it("takes back and does again", async () => {
    const value = [block("a", "one")];
    const page = await mount(value);
    caret(page.text, 0, 3);
    await type("!");
    await settled();
    await type("{Control>}z{/Control}");
    await settled();
    expect((page.value as unknown[])[0]).toBe(value[0]);
    await type("{Control>}y{/Control}");
    await settled();
    expect(texts(page.value)).toEqual(["one!"]);
  });

  it("is told once a frame, not at each letter", async () => {
    const page = await mount([block("a", "")]);
    caret(page.text, 0);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the one way to type several letters within a frame
    for (const letter of "abcdefghij") document.execCommand("insertText", false, letter);
    expect(page.changes).toBe(0);
    await settled();
    expect(texts(page.value)).toEqual(["abcdefghij"]);
    expect(page.changes).toBeLessThanOrEqual(2);
  });
});

describe("a value from elsewhere", () => {
  it("comes in beside the caret, and can be written on", async () => {
    const page = await mount([block("a", "one"), block("b", "two")]);
    caret(page.text, 1, 3);
    await type("!");
    await settled();
    page.give([block("n", "new"), block("a", "one"), (page.value as Typed[])[1]]);
    await settled();
    await type("?");
    await settled();
    expect(texts(page.value)).toEqual(["new", "one", "two!?"]);
  });

  it("is not taken back by undo", async () => {
    const page = await mount([block("a", "one")]);
    caret(page.text, 0, 3);
    await type("!");
    await settled();
    page.give([...(page.value as Typed[]), block("b", "theirs")]);
    await settled();
    await type("{Control>}z{/Control}");
    await settled();
    expect(texts(page.value)).toEqual(["one", "theirs"]);
  });
});

describe("a page that draws later than it is told", () => {
  it("takes no letter away", async () => {
    const page = await mount([block("a", "")], { late: 25 });
    caret(page.text, 0);
    const words = "the quick brown fox jumps over the lazy dog ";
    await type(words.repeat(3));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(texts(page.value)).toEqual([words.repeat(3)]);
    expect(page.text.textContent).toBe(words.repeat(3));
  });
});

describe("a value that a program wrote wrongly", () => {
  it.each([["text"], [7], [{ a: 1 }], [true]])("is shown when it is no list, and stays: %j", async (value) => {
    const page = await mount(value);
    expect(document.body.textContent).toContain("This isn’t rich text");
    expect(page.changes).toBe(0);
    expect(page.value).toBe(value);
  });

  it("is kept among what is written", async () => {
    const wrong = [null, 7, "x", [], {}, { _type: "block" }, { _type: "block", _key: "c", children: [{ _type: "span" }] }, { _type: "table", rows: 1 }];
    const page = await mount([...wrong, block("a", "one")]);
    caret(page.text, wrong.length, 3);
    await type("!");
    await settled();
    expect((page.value as unknown[]).slice(0, 5)).toEqual(wrong.slice(0, 5));
    expect(texts([(page.value as Typed[]).at(-1)])).toEqual(["one!"]);
  });
});
