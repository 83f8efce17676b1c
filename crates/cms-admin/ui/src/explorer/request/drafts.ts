// What was typed into the forms, for as long as the page is open: whoever looks something up elsewhere finds it again. It is in memory alone.

export interface Draft {
  values: ReadonlyMap<string, string>;
  body: string | undefined;
}

const drafts = new Map<string, Draft>();

export const draftOf = (key: string): Draft => drafts.get(key) ?? { values: new Map(), body: undefined };

export const keepDraft = (key: string, draft: Draft) => void drafts.set(key, draft);
