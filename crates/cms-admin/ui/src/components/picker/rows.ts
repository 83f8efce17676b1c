// The rows of a picker: options with headings between them, and the offer to make something new.

import { recent } from "./recent";
import type { Option } from "./source";

export type Row<Choice> = { kind: "heading"; id: string; text: string } | { kind: "option"; id: string; option: Choice } | ({ kind: "make"; id: string } & Offer);

/** To make something new. */
interface Offer {
  text: string;
  hint: string | undefined;
}

interface Asked<Choice> {
  typed: string;
  found: Choice[] | undefined;
  recentKey: string | undefined;
  headings: { recent: string; all: string };
  make: Offer | undefined;
}

export function rowsOf<Choice extends Option>({ typed, found = [], recentKey, headings, make }: Asked<Choice>): Row<Choice>[] {
  const lately = typed.trim() === "" && recentKey ? recent(recentKey) : [];
  // What the source says of an option is newer than what was remembered; what it does not name in its first page is shown as it was.
  const first = lately.map((option) => found.find(({ id }) => id === option.id) ?? (option as Choice));
  const rest = found.filter(({ id }) => !first.some((option) => option.id === id));
  const asRow = (option: Choice): Row<Choice> => ({ kind: "option", id: option.id, option });
  return [
    ...(first.length > 0 ? [{ kind: "heading" as const, id: "recent", text: headings.recent }, ...first.map(asRow)] : []),
    ...(first.length > 0 && rest.length > 0 ? [{ kind: "heading" as const, id: "all", text: headings.all }] : []),
    ...rest.map(asRow),
    ...(make === undefined ? [] : [{ kind: "make" as const, id: "make", ...make }]),
  ];
}

/** The next row that can be chosen, going from one in a direction; from the last it goes on with the first. */
export function nextRow<Choice extends Option>(rows: Row<Choice>[], from: number, step: 1 | -1): number {
  for (let n = 1; n <= rows.length; n++) {
    const at = (((from + step * n) % rows.length) + rows.length) % rows.length;
    if (isChoice(rows[at])) return at;
  }
  return -1;
}

export function isChoice<Choice extends Option>(row: Row<Choice> | undefined): boolean {
  return row !== undefined && row.kind !== "heading" && !(row.kind === "option" && row.option.disabled);
}
