// What the library is asked for: the parts of its address, and what of it the server is sent.

import type { MediaQuery } from "~/api/types";
import { dayBegins } from "~/lib/days";
import { textOf } from "~/lib/search";
import type { Filter } from "~/table/filters/model";
import { readFilters } from "~/table/filters/text";

/** What stands in the address of the library. */
export interface MediaSearch {
  /** What is looked for in names. */
  q?: string;
  /** A folder, or `unfiled` for what is in none. */
  folder?: string;
  filter?: string;
  /** `grid` or `list`. */
  view?: string;
}

export const mediaSearch = (search: Record<string, unknown>): MediaSearch => textOf(search, "q", "folder", "filter", "view");

/** What is in no folder, as the server calls it. */
export const UNFILED = "unfiled";

/** Kinds of files, as the beginnings of their media types. */
export const KINDS = { image: "image/", video: "video/", audio: "audio/", document: "application/,text/" } as const;

export type Kind = keyof typeof KINDS;

/** Which kind a media type is of. */
export function kindOf(mimeType: string): Kind {
  const [first = ""] = mimeType.split("/");
  return first === "image" || first === "video" || first === "audio" ? first : "document";
}

/** The bytes of a megabyte, as sizes are shown. */
const MEGABYTE = 1_000_000;

/** What the server is asked for, without paging. What no filter of the library is asks for nothing: anybody can write an address. */
export function questionOf({ q, folder, filter }: MediaSearch): MediaQuery {
  return {
    ...(q ? { q } : {}),
    ...(folder ? { folderId: folder } : {}),
    ...Object.assign({}, ...readFilters(filter).map(asked)) as MediaQuery,
  };
}

function asked({ field, operator, values }: Filter): MediaQuery {
  const [first = "", second = first] = values;
  switch (field) {
    case "kind":
      return Object.hasOwn(KINDS, first) ? { mimeType: KINDS[first as Kind] } : {};
    case "tag":
      return first === "" ? {} : { tag: first };
    case "alt":
      return { withoutAlt: true };
    case "usage":
      return { unused: true };
    case "createdAt": {
      const from = operator === "atMost" ? undefined : dayBegins(first)?.toISOString();
      const before = operator === "atLeast" ? undefined : dayBegins(operator === "between" ? second : first, 1)?.toISOString();
      return { ...(from ? { createdFrom: from } : {}), ...(before ? { createdBefore: before } : {}) };
    }
    case "size": {
      const least = operator === "atMost" ? undefined : bytes(first);
      const most = operator === "atLeast" ? undefined : bytes(operator === "between" ? second : first);
      return { ...(least === undefined ? {} : { minSize: least }), ...(most === undefined ? {} : { maxSize: most }) };
    }
    default:
      return {};
  }
}

function bytes(megabytes: string): number | undefined {
  const count = Math.round(Number(megabytes) * MEGABYTE);
  return megabytes.trim() !== "" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
