// What is wrong with a value, in the reader's language. The server sends a code with each problem, and a message in English for programs.

import { i18n, type MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

import { sentence, type Issue } from "~/api/errors";

/** Every code that the server gives a problem. */
export const ISSUE_TEXTS: Record<string, MessageDescriptor> = {
  DUPLICATE: msg`This appears twice.`,
  EMAIL_IN_USE: msg`There is already an account with this e-mail address.`,
  FIELD_EXISTS: msg`There is already a field with this name.`,
  FIELD_NOT_INDEXABLE: msg`Fields of this type cannot be indexed.`,
  FIELD_NOT_INDEXED: msg`This field is not indexed. Turn on its index to filter or sort by it.`,
  FIELD_NOT_REFERENCE: msg`This field does not refer to entries.`,
  FIELD_NOT_SEARCHABLE: msg`Fields of this type cannot be searched.`,
  FIELD_NOT_SORTABLE: msg`Fields of this type cannot be sorted by.`,
  INCOMPLETE: msg`The file did not arrive completely. Try again.`,
  INDEX_NOT_READY: msg`This field is still being indexed. Try again in a while.`,
  INSUFFICIENT_ROLE: msg`Your role does not allow this choice.`,
  INVALID_CODE: msg`This code is not valid.`,
  INVALID_CURSOR: msg`This page of the list is gone. Start again from the first.`,
  INVALID_DATE: msg`This is not a valid date.`,
  INVALID_ENCODING: msg`This contains a character that cannot be stored.`,
  INVALID_FORM: msg`This form could not be read.`,
  INVALID_ID: msg`This is not a valid ID.`,
  INVALID_KEY: msg`The key of this item is missing or not valid.`,
  INVALID_LENGTH: msg`This is empty or too long.`,
  INVALID_MIME_FOR_FIELD: msg`Files of this type are not allowed here.`,
  INVALID_OPTION: msg`This is not one of the options.`,
  INVALID_RULE: msg`This rule does not work for this field.`,
  INVALID_TYPE: msg`A value of this kind does not belong here.`,
  INVALID_URL: msg`Enter a complete address, such as https://example.org.`,
  INVALID_VALUE: msg`This is not valid.`,
  LENGTH: msg`This is empty or too long.`,
  MEDIA_NOT_FOUND: msg`The library does not have this file any more. Choose another one.`,
  MISPLACED: msg`This was sent in the wrong place.`,
  MORE_ISSUES: msg`There are more problems than are shown here.`,
  NOT_ALLOWED: msg`This is not possible in its present state.`,
  NOT_CANONICAL: msg`This is written differently from how it is stored.`,
  NOT_GRANTED: msg`The application does not have these permissions. It has to ask for them.`,
  NOT_IN_AN_ADDRESS: msg`A secret must not be part of an address.`,
  NOT_REGISTERED: msg`The application has not registered this address.`,
  NOT_SUPPORTED: msg`This collection does not support it.`,
  PAST: msg`Choose a time in the future.`,
  PATTERN: msg`This does not have the expected form.`,
  REFERENCE_NOT_FOUND: msg`The entry that this refers to does not exist.`,
  REORDER_MISMATCH: msg`The list has changed in the meantime. Load it again.`,
  REQUIRED: msg`Fill in this field.`,
  RESERVED_SLUG: msg`This name is reserved. Choose another one.`,
  SAME: msg`This is the address the account already has.`,
  SLUG_CONFLICT: msg`Another entry already has this slug.`,
  TOO_FEW: msg`There are too few here.`,
  TOO_LARGE: msg`This is too large or too late.`,
  TOO_LATE: msg`This is too late.`,
  TOO_LONG: msg`This is too long.`,
  TOO_MANY: msg`There are too many here.`,
  TOO_SHORT: msg`This is too short.`,
  TOO_SMALL: msg`This is too small or too early.`,
  TRANSLATION_EXISTS: msg`There is already a translation into this language.`,
  UNEXPECTED_BODY: msg`This was sent in the wrong place.`,
  UNIQUE_CONFLICT: msg`Another entry already has this value.`,
  UNKNOWN_CLIENT: msg`This application is not known here.`,
  UNKNOWN_COLLECTION: msg`This collection does not exist.`,
  UNKNOWN_FIELD: msg`This field does not exist any more.`,
  UNKNOWN_KEY: msg`The server does not know this value.`,
  UNKNOWN_LOCALE: msg`This site does not have this language.`,
  UNKNOWN_MARK: msg`This formatting is not allowed here.`,
  UNKNOWN_USER: msg`This user does not exist.`,
};

/** The sentence that people are shown for a problem. */
export function issueText({ code, message }: Pick<Issue, "code" | "message">): string {
  const text = ISSUE_TEXTS[code];
  return text ? i18n._(text) : sentence(message);
}
