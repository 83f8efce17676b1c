// Colours in blocks of code. The highlighter comes when there is code to show, and not for code that nobody reads.

import { createHighlightPlugin, type Parser } from "prosemirror-highlight";
import type { Plugin } from "prosemirror-state";

/** Longer code is shown without colours: it would slow down typing. */
const MAX_CODE = 50_000;

let parser: Parser | undefined;
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  parser = (await import("./colours")).colours;
}

export function highlight(): Plugin {
  return createHighlightPlugin({
    nodeTypes: ["code"],
    parser: (options) => {
      if (options.content.length > MAX_CODE || !options.language) return [];
      if (parser) return parser(options);
      // Offline, code is shown in one colour.
      loading ??= load().catch(() => {
        parser = () => [];
      });
      return loading;
    },
  });
}
