// The same done to many entries. The one place that knows how: at present one request after the other from here.

import type { Entry } from "~/api/types";
import type { Selection } from "~/table/selection";
import type { Page } from "~/table/useKeyset";

/** An entry with which it did not work, and why. */
export interface Failed {
  entry: Entry;
  error: unknown;
}

export interface Progress {
  /** How many are through, whether it worked or not. */
  done: number;
  /** How many there are; undefined while they are being looked for. */
  total: number | undefined;
  failed: number;
}

export interface BulkResult {
  succeeded: Entry[];
  failed: Failed[];
  /** Those that were not reached since it was cancelled. */
  left: Entry[];
}

export interface BulkOptions {
  selection: Selection<Entry>;
  /** A page of all that match, in the order of the list. */
  page: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Entry>>;
  perform: (entry: Entry) => Promise<void>;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** Does something to everything that is selected. What fails keeps nothing else from being done. */
export async function inBulk({ selection, page, perform, signal, onProgress }: BulkOptions): Promise<BulkResult> {
  onProgress({ done: 0, total: undefined, failed: 0 });
  const entries = selection.kind === "these" ? [...selection.rows.values()] : await matching(page, selection.except, signal);
  const result: BulkResult = { succeeded: [], failed: [], left: [] };
  const tell = () => onProgress({ done: result.succeeded.length + result.failed.length, total: entries.length, failed: result.failed.length });
  tell();
  for (const [at, entry] of entries.entries()) {
    if (signal.aborted) {
      result.left = entries.slice(at);
      break;
    }
    try {
      await perform(entry);
      result.succeeded.push(entry);
    } catch (error) {
      result.failed.push({ entry, error });
    }
    tell();
  }
  return result;
}

/** All that match but some. They are looked for first: what is done to them may move them in the list. */
async function matching(page: BulkOptions["page"], except: ReadonlyMap<string, Entry>, signal: AbortSignal): Promise<Entry[]> {
  const found: Entry[] = [];
  let cursor: string | undefined;
  do {
    if (signal.aborted) return [];
    const { items, nextCursor }: Page<Entry> = await page(cursor, signal);
    found.push(...items.filter(({ id }) => !except.has(id)));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}
