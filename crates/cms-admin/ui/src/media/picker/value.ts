// What is stored of an item of the library where it is used. The server fills in the rest, and what it knows better.

import type { components } from "~/api/schema";
import { newKey, type Typed } from "~/richtext/value";

export type MediaItem = components["schemas"]["MediaShown"];

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

/** What a picture is within a text. */
function pictureMembers({ item, alt }: Chosen): Record<string, unknown> {
  const { id, url, width, height, blurhash, dominantColor } = item;
  return { asset: { _ref: id, url }, alt, ...known({ width, height, blurhash, dominantColor }) };
}

/** What another picture changes of a block. What nobody knows of it goes; where it stands and what is written below it stay. */
export function otherPicture(chosen: Chosen): Record<string, unknown> {
  return { width: undefined, height: undefined, blurhash: undefined, dominantColor: undefined, displayWidth: undefined, displayHeight: undefined, ...pictureMembers(chosen) };
}

export function imageBlock(chosen: Chosen): Typed {
  return { _type: "image", _key: newKey(), ...pictureMembers(chosen), ...known({ caption: chosen.item.caption }) };
}

export function galleryBlock(chosen: readonly Chosen[]): Typed {
  return { _type: "gallery", _key: newKey(), images: chosen.map(imageBlock), columns: Math.min(Math.max(chosen.length, 1), 3) };
}

/** What a file is within a text. */
export function fileMembers({ item }: Chosen): Record<string, unknown> {
  const { id, url, filename, mimeType, size } = item;
  return { asset: { _ref: id, url }, filename, mimeType, size };
}

export function fileBlock(chosen: Chosen): Typed {
  return { _type: "file", _key: newKey(), ...fileMembers(chosen) };
}

/** Pictures of which the server makes smaller versions. */
const SCALED = /\/media\/file\/[^?#]+\.(?:png|jpe?g|gif|webp|avif)$/i;

/** The address of a smaller version of a picture of this site, as wide as this at most; the address itself of any other. */
export function smaller(url: string, width: number): string {
  return url.startsWith("/") && SCALED.test(url) ? `${url}?w=${width}` : url;
}
