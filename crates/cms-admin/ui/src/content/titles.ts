// What an entry is called in lists and questions.

import { useLingui } from "@lingui/react/macro";

import type { Collection, Entry, TrashedEntry } from "~/api/types";

import { titleIn } from "./titleField";

/** The longest title that is shown, in characters: another program may have written a book there. */
const LONGEST = 300;

/** Says what an entry of a collection is called: its title, else the end of its address. */
export function useTitle(collection: Collection): (entry: Pick<Entry | TrashedEntry, "data" | "slug">) => string {
  const { t } = useLingui();
  return ({ data, slug }) => titleIn(collection, data)?.slice(0, LONGEST) ?? slug ?? t`Untitled`;
}
