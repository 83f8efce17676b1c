// Why something did not work with an entry, where that is another thing to say than of a request.

import { i18n, type MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

import { ApiError, messageOf } from "~/api/errors";

const REASONS: Record<string, MessageDescriptor> = {
  VALIDATION_ERROR: msg`Some of its fields need a look. Open it to see which.`,
  CONFLICT: msg`It was changed in the meantime.`,
  ENTRY_LOCKED: msg`Somebody else is editing it.`,
  NOT_FOUND: msg`It does not exist any more.`,
  SLUG_CONFLICT: msg`Another entry already has this slug.`,
  UNIQUE_CONFLICT: msg`Another entry already has this value.`,
};

/** The sentence that people are shown at an entry that something did not work with. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof ApiError ? REASONS[error.code] : undefined;
  return reason ? i18n._(reason) : messageOf(error);
}
