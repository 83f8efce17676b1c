// What the members of collections and fields are called in words, as the forms call them.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

const WORDS = new Map<string, MessageDescriptor>([
  ["admin", msg`Columns of the list`],
  ["commentsAutoApproveUsers", msg`Comments of signed-in people need no moderation`],
  ["commentsClosedAfterDays", msg`Days until comments close`],
  ["commentsEnabled", msg`Comments`],
  ["commentsModeration", msg`Moderation of comments`],
  ["dateField", msg`Date field`],
  ["defaultValue", msg`Default value`],
  ["description", msg`Description`],
  ["editLocking", msg`Lock for whoever edits`],
  ["hasSeo", msg`Search engine members`],
  ["hidden", msg`Not in the navigation`],
  ["icon", msg`Icon`],
  ["indexed", msg`Filters and sorts lists`],
  ["indexes", msg`Indexes over several fields`],
  ["label", msg`Name`],
  ["labelSingular", msg`Name of one entry`],
  ["options", msg`Options`],
  ["required", msg`Required`],
  ["routable", msg`Entries have an address`],
  ["searchable", msg`Searched`],
  ["sortOrder", msg`Place in the order`],
  ["supports", msg`Features`],
  ["titleField", msg`Title field`],
  ["translatable", msg`Differs between languages`],
  ["type", msg`Type`],
  ["unique", msg`Unique`],
  ["urlPattern", msg`Address pattern`],
  ["validation", msg`Rules`],
  ["widget", msg`Control`],
]);

/** A member in words; none for one that this application does not know. */
export function memberWords(member: string): MessageDescriptor | undefined {
  return WORDS.get(member);
}
