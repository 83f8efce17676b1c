// The editor on a page of its own, for tests in a browser.

import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { createRoot, type Root } from "react-dom/client";

import RichText, { type RichTextProps } from "../RichText";
import type { Blocks, Typed } from "../value";

export interface Mounted {
  /** What the page has. */
  readonly value: unknown;
  readonly changes: number;
  text: HTMLElement;
  /** Gives the editor another value. */
  give: (value: unknown) => void;
  unmount: () => void;
}

const client = new QueryClient();
let root: Root | undefined;

/** Shows the editor, as a field of a form would. */
export async function mount(first: unknown, { late, ...props }: Partial<RichTextProps> & { /** How long the page takes to draw what it was told, in milliseconds. */ late?: number } = {}): Promise<Mounted> {
  unmountAll();
  i18n.loadAndActivate({ locale: "en", messages: {} });
  const place = document.createElement("div");
  document.body.append(place);
  let value = first;
  let changes = 0;
  let give: (value: unknown) => void = () => undefined;
  function Page() {
    const [shown, show] = useState(first);
    give = (next) => {
      value = next;
      show(next);
    };
    return (
      <I18nProvider i18n={i18n}>
       <QueryClientProvider client={client}>
        <h2 id="label">Text</h2>
        <RichText
          id="text"
          labelledBy="label"
          value={shown}
          onChange={(next) => {
            changes += 1;
            value = next;
            if (late) setTimeout(() => give(next), late);
            else give(next);
          }}
          {...props}
        />
       </QueryClientProvider>
      </I18nProvider>
    );
  }
  const made = createRoot(place);
  root = made;
  made.render(<Page />);
  await until(() => place.querySelector("#text"));
  return {
    get value() {
      return value;
    },
    get changes() {
      return changes;
    },
    text: place.querySelector("#text") as HTMLElement,
    give: (value) => give(value),
    unmount: unmountAll,
  };
}

function unmountAll(): void {
  root?.unmount();
  root = undefined;
  document.body.replaceChildren();
}

/** Waits until something is there. */
export async function until<T>(look: () => T): Promise<NonNullable<T>> {
  for (let tries = 0; tries < 200; tries++) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("it did not come");
}

/** Until everything that was written is told. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 60));

/** Puts the caret into the n-th block, before its n-th letter. */
export function caret(text: HTMLElement, block: number, offset = 0): void {
  text.focus();
  const walker = document.createTreeWalker(text.children[block] ?? text, NodeFilter.SHOW_TEXT);
  let node = walker.nextNode();
  let left = offset;
  while (node && left > (node.textContent ?? "").length) {
    left -= (node.textContent ?? "").length;
    node = walker.nextNode();
  }
  getSelection()?.setBaseAndExtent(node ?? text.children[block] ?? text, node ? left : 0, node ?? text.children[block] ?? text, node ? left : 0);
}

export const block = (_key: string, text: string, more: Partial<Typed> = {}): Typed => ({
  _type: "block",
  _key,
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: `${_key}0`, text, marks: [] }],
  ...more,
});

/** The words of each block. */
export const texts = (value: unknown): string[] => (value as Blocks).map(({ children }) => ((children ?? []) as Typed[]).map(({ text }) => text).join(""));
