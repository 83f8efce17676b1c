// What is wrong with a value, in the reader's language.

import { i18n } from "@lingui/core";
import { plural, t } from "@lingui/core/macro";

import { sentence, type Issue } from "~/api/errors";
import { numberFormat } from "~/lib/intl";

import type { Validation } from "../model/values";

/** The sentence for an issue of a field with some rules. */
export function issueText({ code, message }: Issue, rules: Validation = {}): string {
  const number = (value: number) => numberFormat(i18n.locale).format(value);
  switch (code) {
    case "REQUIRED":
      return t`Fill in this field.`;
    case "TOO_SHORT":
      return rules.minLength ? plural(rules.minLength, { one: "This needs at least # character.", other: "This needs at least # characters." }) : sentence(message);
    case "TOO_LONG":
      return rules.maxLength ? plural(rules.maxLength, { one: "This can have # character at most.", other: "This can have # characters at most." }) : t`This is too long.`;
    case "TOO_SMALL":
      return typeof rules.min === "number" ? t`This must be ${number(rules.min)} or more.` : sentence(message);
    case "TOO_LARGE":
      return typeof rules.max === "number" ? t`This must be ${number(rules.max)} or less.` : sentence(message);
    case "TOO_FEW":
      return rules.minItems ? plural(rules.minItems, { one: "Choose or add at least #.", other: "Choose or add at least #." }) : sentence(message);
    case "TOO_MANY":
      return rules.maxItems ? plural(rules.maxItems, { one: "There can be # at most.", other: "There can be # at most." }) : sentence(message);
    case "PATTERN":
      return t`This does not have the form that the field asks for.`;
    case "INVALID_URL":
      return t`This is not a web address. It should look like https://example.com.`;
    case "INVALID_DATE":
      return t`This is not a date and time.`;
    case "INVALID_OPTION":
      return t`This is not one of the options.`;
    case "INVALID_TYPE":
      return t`This value is of the wrong kind for this field.`;
    case "INVALID_MIME_FOR_FIELD":
      return t`This field does not take files of this kind.`;
    case "MEDIA_NOT_FOUND":
      return t`The library does not have this file any more. Choose another one.`;
    case "DUPLICATE":
      return t`This appears twice.`;
    case "UNREADABLE":
      return t`This cannot be read yet. It stays here until you correct it.`;
    case "INEXACT":
      return t`This has a number that browsers cannot keep exactly. Only a program can change it, through the API.`;
    case "UNIQUE_CONFLICT":
      return t`Another entry has this value already.`;
    case "SLUG_CONFLICT":
      return t`Another entry has this address already.`;
    case "UNKNOWN_LOCALE":
      return t`This site has no content in this language. An administrator can add it to the configuration.`;
    case "UNKNOWN_FIELD":
      return t`This field no longer exists. Your text is kept in this browser.`;
    default:
      return sentence(message);
  }
}
