// Addresses that links may have: what the server accepts, and nothing that runs when it is followed.

// Browsers drop tabs and line breaks within an address and control characters before it; what is left could be a scheme.
// eslint-disable-next-line no-control-regex -- these are the characters that browsers drop
const LINK = /^(?:(?:https?|mailto|tel):[^\x00-\x1f\x7f]+|[^:/?#\x00-\x1f\x7f]*(?:[/?#][^\x00-\x1f\x7f]*)?)$/i;
const MAX_LENGTH = 8192;

/** Whether something may be the address of a link. */
export function isLinkAddress(address: unknown): address is string {
  return typeof address === "string" && address.length <= MAX_LENGTH && LINK.test(address);
}
