// Where versions of a picture are.

import type { MediaItem } from "~/api/types";

/** Kinds of pictures of which the server makes no other versions. */
const WHOLE = ["image/svg+xml"];

/** A version of a picture that is as wide as it has to be; the picture itself where there are no versions of it. */
export function versionOf({ url, mimeType }: Pick<MediaItem, "url" | "mimeType">, width: number): string {
  return WHOLE.includes(mimeType) ? url : `${url}?w=${width}&format=auto`;
}

/** The whole address of a file, for whoever takes it elsewhere. */
export function fullAddress({ url }: Pick<MediaItem, "url">): string {
  return new URL(url, location.origin).href;
}
