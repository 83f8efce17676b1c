// The highlighter of code, with the languages that most people write. A file of its own, so that the others are left out.

import { common, createLowlight } from "lowlight";
import type { Parser } from "prosemirror-highlight";
import { createParser } from "prosemirror-highlight/lowlight";

const lowlight = createLowlight(common);
const parse = createParser(lowlight);

/** Colours for code whose language is known. */
export const colours: Parser = (options) => (options.language && lowlight.registered(options.language) ? parse(options) : []);
