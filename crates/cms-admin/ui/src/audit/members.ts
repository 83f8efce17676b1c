// What the audit log calls the parts of things, in words.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

const WORDS: Record<string, MessageDescriptor> = {
  approved: msg`Allowed`,
  asked: msg`Asked for`,
  client: msg`Application`,
  collection: msg`Collection`,
  connections: msg`Linked providers`,
  defaultRole: msg`Role of new people`,
  deletedAt: msg`In the trash since`,
  disabled: msg`Suspended`,
  email: msg`E-mail address`,
  emailChanges: msg`Changes of address`,
  emailVerified: msg`E-mail address confirmed`,
  enabled: msg({ context: "Whether people may sign up", message: "Open" }),
  expiresAt: msg`Ends`,
  grants: msg`Connected applications`,
  invitations: msg`Invitations`,
  label: msg`Name`,
  links: msg`Links`,
  locale: msg`Language`,
  method: msg`Signed in with`,
  name: msg`Name`,
  passkeys: msg`Passkeys`,
  provider: msg`Provider`,
  publishedAt: msg`Published`,
  redirectUris: msg`Redirect addresses`,
  refused: msg`Refused with`,
  restoreAccess: msg`Suspended access came back`,
  role: msg`Role`,
  scheduledAt: msg`Scheduled for`,
  unpublishAt: msg`Unpublish at`,
  scopes: msg`May`,
  sessions: msg`Sessions`,
  slug: msg`Slug`,
  status: msg`Status`,
  title: msg`Title`,
  tokens: msg`Access tokens`,
};

/** A part of a thing in words; none for one that this application does not know. */
export function memberWords(member: string): MessageDescriptor | undefined {
  return Object.hasOwn(WORDS, member) ? WORDS[member] : undefined;
}
