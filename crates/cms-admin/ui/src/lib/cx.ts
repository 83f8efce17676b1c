// Joins class names.

import { extendTailwindMerge } from "tailwind-merge";

// The sizes that `styles.css` adds to Tailwind's own.
const merge = extendTailwindMerge({ extend: { theme: { text: ["md"], container: ["control"], shadow: ["low", "high"] }, classGroups: { "font-size": ["control-text"] } } });

/** The names that are there, with a space between. Of two that say the same thing differently, the later one holds. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return merge(names);
}
