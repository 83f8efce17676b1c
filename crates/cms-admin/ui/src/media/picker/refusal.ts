// Why a file is not taken, and whether another try can help.

import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";

import { ApiError, messageOf } from "~/api/errors";
import { issueText } from "~/forms/issueText";

import { allows } from "./allowed";

export interface Refusal {
  text: string;
  /** The same file is refused again: nobody is offered to try. */
  isFinal: boolean;
}

const TYPES = ["INVALID_TYPE", "INVALID_MIME_FOR_FIELD", "UNSUPPORTED_MEDIA_TYPE"];

/** What is known of a file before it is sent. */
export function refusedBefore(file: Pick<File, "type" | "size">, allowed: readonly string[]): Refusal | undefined {
  if (file.type !== "" && !allows(allowed, file.type)) return { text: i18n._(msg`Files of this type are not allowed here.`), isFinal: true };
  if (file.size === 0) return { text: i18n._(msg`This file is empty.`), isFinal: true };
  return undefined;
}

/** What a failure says to whoever sent the file. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) return { text: messageOf(error), isFinal: false };
  const codes = [error.code, ...error.issues.map(({ code }) => code)];
  const has = (...wanted: string[]) => codes.some((code) => wanted.includes(code));
  if (error.status === 413 || has("PAYLOAD_TOO_LARGE", "TOO_LARGE")) return { text: i18n._(msg`This file is too large for the library.`), isFinal: true };
  if (error.status === 415 || has(...TYPES)) return { text: i18n._(msg`Files of this type are not allowed here.`), isFinal: true };
  if (has("INVALID_IMAGE")) return { text: i18n._(msg`This picture cannot be read. It may be damaged.`), isFinal: true };
  if (has("NO_STORAGE")) return { text: i18n._(msg`This site has no place for files yet. An administrator can set one up.`), isFinal: true };
  const [issue] = error.issues;
  return { text: issue ? issueText(issue) : messageOf(error), isFinal: error.status === 403 || (error.status === 400 && !has("UPLOAD_SIZE_MISMATCH", "FILE_NOT_FOUND", "UPLOAD_LIMIT")) };
}
