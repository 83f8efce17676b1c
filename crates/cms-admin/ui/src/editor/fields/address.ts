// Addresses of the web, mail and telephones.

const SCHEMES = ["http:", "https:", "mailto:", "tel:"];

/** Whether a text is an address as the server takes it. It decides; this is said earlier. */
export function isAddress(text: string): boolean {
  try {
    const { protocol, hostname } = new URL(text);
    return SCHEMES.includes(protocol) && !/\s/.test(text) && (hostname !== "" || !protocol.startsWith("http"));
  } catch {
    return false;
  }
}
