// What is stored of an item of the library where it is used. The server fills in the rest, and what it knows better.

import type { MediaItem } from "~/api/types";

/** An item that was chosen, with what it shows in the place where it is used. */
export interface Chosen {
  item: MediaItem;
  alt: string;
}

export const isPicture = ({ mimeType }: Pick<MediaItem, "mimeType">): boolean => mimeType.startsWith("image/");

/** Without what is not known. */
function known<Members extends Record<string, unknown>>(members: Members): Partial<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined && value !== "")) as Partial<Members>;
}

/** The value of an image field. */
export function imageValue({ item, alt }: Chosen): Record<string, unknown> {
  const { id, url, filename, mimeType, width, height, blurhash, dominantColor } = item;
  return known({ id, src: url, filename, mimeType, alt, width, height, blurhash, dominantColor });
}

/** The value of a file field. */
export function fileValue({ item }: Chosen): Record<string, unknown> {
  const { id, url, filename, mimeType, size } = item;
  return { ...known({ id, src: url, filename, mimeType }), size };
}

/** Pictures of which the server makes smaller versions. */
const SCALED = /\/media\/file\/[^?#]+\.(?:png|jpe?g|gif|webp|avif)$/i;

/** The address of a smaller version of a picture of this site, as wide as this at most; the address itself of any other. */
export function smaller(url: string, width: number): string {
  return url.startsWith("/") && SCALED.test(url) ? `${url}?w=${width}` : url;
}
