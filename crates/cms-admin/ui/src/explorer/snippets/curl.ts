// A call as a line for a shell. Whatever it is made of is one word there: nothing of it can be a command, an option, another address or a file.

import { addressOf, headersOf, type Call, type Site } from "./call";

/** The variable that has the token. */
export const TOKEN = "CMS_TOKEN";

export function curl(call: Call, { origin, prefix }: Site): string {
  const { method, body, answer } = call;
  const address = `${origin}${prefix}/api${addressOf(call)}`;
  const lines: string[] = [];
  // In an address, curl itself reads braces and brackets as several ones.
  const options = /[[\]{}]/.test(address) ? "--globoff " : "";
  const request = method === "GET" || (method === "POST" && body !== undefined) ? "" : `--request ${quoted(method)} `;
  lines.push(`curl ${options}${request}${quoted(address)}`, `--header "Authorization: Bearer $${TOKEN}"`);
  for (const [name, value] of headersOf(call)) lines.push(`--header ${quoted(`${name}: ${value}`)}`);
  if (typeof body === "string") lines.push(`--header 'Content-Type: application/json'`, `--data-raw ${quoted(body)}`);
  else if (body) lines.push(`--header ${quoted(`Content-Type: ${body.mediaType}`)}`, `--data-binary ${quoted(`@${body.file}`)}`);
  if (answer === "events") lines.push("--no-buffer");
  if (answer === "file") lines.push("--remote-name --remote-header-name");
  return lines.join(" \\\n  ");
}

/** A text as one word of a shell. In single quotes nothing means anything else; what a terminal may obey is written as its number. */
export function quoted(text: string): string {
  const safe = text.replaceAll("\0", "");
  if (/^[\w./:=@%+-]+$/.test(safe)) return safe.startsWith("-") ? `'${safe}'` : safe;
  // eslint-disable-next-line no-control-regex -- these are the characters that are meant
  if (!/[\u0001-\u0008\u000b-\u001f\u007f-\u009f]/.test(safe)) return `'${safe.replaceAll("'", String.raw`'\''`)}'`;
  // eslint-disable-next-line no-control-regex -- as above
  const written = safe.replace(/[\\']/g, (sign) => `\\${sign}`).replace(/[\u0001-\u001f\u007f-\u009f]/g, numbered);
  return `$'${written}'`;
}

/** A character as the numbers of its bytes, three digits each: whatever follows is no part of them. */
function numbered(character: string): string {
  if (character === "\n") return String.raw`\n`;
  return [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
