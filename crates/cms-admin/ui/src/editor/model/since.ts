// What changed in another language since a translation was last saved: what there is to translate anew.

import type { components } from "~/api/schema";

export type Revision = components["schemas"]["RevisionView"];

/** The newest of some revisions, which come newest first, that was saved no later than at an instant. */
export function newestUntil(revisions: Revision[], at: string): Revision | undefined {
  const until = Date.parse(at);
  return revisions.find(({ updatedAt }) => Date.parse(updatedAt) <= until);
}
