// Finds operations and tools by their names, addresses and first lines. Accents and case do not matter.

import { fold } from "~/lib/fold";

import type { Group, Operation } from "./operations";

/** What was typed, as words that all have to be there. */
function wordsOf(typed: string): string[] {
  return fold(typed).split(/\s+/).filter(Boolean);
}

/** Whether something has all that was typed in some of its texts. */
export function isFound(texts: string[], typed: string): boolean {
  const text = fold(texts.join("\n"));
  return wordsOf(typed).every((word) => text.includes(word));
}

const textsOf = ({ id, method, path, summary, tag }: Operation) => [id, `${method} ${path}`, summary, tag];

/** The groups with what is found in them. */
export function found(groups: Group[], typed: string): Group[] {
  if (typed.trim() === "") return groups;
  return groups.map((group) => ({ ...group, operations: group.operations.filter((operation) => isFound(textsOf(operation), typed)) })).filter(({ operations }) => operations.length > 0);
}
