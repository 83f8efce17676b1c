// What the audit log calls its lines, in words.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

import type { AuditLine } from "~/api/types";

/** A deed in words, and the group that it is listed under. */
interface Deed {
  action: string;
  words: MessageDescriptor;
}

/** Every deed that has words, by what it is about. One without is shown by its name. */
export const DEEDS: { label: MessageDescriptor; deeds: Deed[] }[] = [
  {
    label: msg`Signing in and out`,
    deeds: [
      { action: "passkey.sign_in", words: msg`Signed in with a passkey` },
      { action: "magic_link.verify", words: msg`Signed in with a link` },
      { action: "magic_link.write", words: msg`Was sent a sign-in link` },
      { action: "provider.sign_in", words: msg`Signed in at a provider` },
      { action: "gateway.sign_in", words: msg`Came in through the access gateway` },
      { action: "session.sign_out", words: msg`Signed out` },
      { action: "session.revoke", words: msg`Ended a session` },
      { action: "session.revoke_others", words: msg`Signed out everywhere else` },
      { action: "invitation.complete", words: msg`Accepted an invitation` },
      { action: "sign_up.complete", words: msg`Signed up` },
      { action: "sign_up.write", words: msg`Was sent a sign-up link` },
    ],
  },
  {
    label: msg`Own account`,
    deeds: [
      { action: "account.update", words: msg`Changed their name` },
      { action: "account.change_email", words: msg`Asked to change their e-mail address` },
      { action: "account.confirm_email", words: msg`Confirmed an e-mail address` },
      { action: "account.cancel_email_change", words: msg`Kept their e-mail address` },
      { action: "account.note_seen", words: msg`Dismissed the welcome` },
      { action: "passkey.register", words: msg`Added a passkey` },
      { action: "passkey.rename", words: msg`Renamed a passkey` },
      { action: "passkey.remove", words: msg`Removed a passkey` },
      { action: "connection.remove", words: msg`Unlinked a sign-in provider` },
      { action: "token.create", words: msg`Created an access token` },
      { action: "token.revoke", words: msg`Revoked an access token` },
    ],
  },
  {
    label: msg`People`,
    deeds: [
      { action: "user.create", words: msg`Created a user` },
      { action: "user.update", words: msg`Changed a user` },
      { action: "user.disable", words: msg`Suspended a user` },
      { action: "user.enable", words: msg`Reactivated a user` },
      { action: "user.revoke_sessions", words: msg`Signed a user out everywhere` },
      { action: "user.make_recovery", words: msg`Made a recovery link` },
      { action: "user.rescue", words: msg`Rescued an administrator at the command line` },
      { action: "invitation.make", words: msg`Invited somebody` },
      { action: "invitation.renew", words: msg`Sent an invitation again` },
      { action: "invitation.revoke", words: msg`Revoked an invitation` },
      { action: "allowed_domain.create", words: msg`Opened sign-up for a domain` },
      { action: "allowed_domain.update", words: msg`Changed sign-up for a domain` },
      { action: "allowed_domain.delete", words: msg`Closed sign-up for a domain` },
    ],
  },
  {
    label: msg`Applications`,
    deeds: [
      { action: "oauth.register", words: msg`An application registered itself` },
      { action: "oauth.decide", words: msg`Decided about an application` },
      { action: "oauth.decide_device", words: msg`Decided about a device` },
      { action: "oauth.device_code", words: msg`A device asked for access` },
      { action: "oauth.token", words: msg`An application got access` },
      { action: "oauth.revoke", words: msg`An application gave up its access` },
      { action: "oauth.revoke_grant", words: msg`Disconnected an application` },
      { action: "oauth_client.create", words: msg`Added an application` },
      { action: "oauth_client.update", words: msg`Changed an application` },
      { action: "oauth_client.delete", words: msg`Removed an application` },
    ],
  },
  {
    label: msg`Site and content model`,
    deeds: [
      { action: "setup.begin", words: msg`Named the site` },
      { action: "setup.finish", words: msg`Set up the site` },
      { action: "schema.create_collection", words: msg`Created a collection` },
      { action: "schema.update_collection", words: msg`Changed a collection` },
      { action: "schema.delete_collection", words: msg`Deleted a collection` },
      { action: "schema.reorder_collections", words: msg`Reordered collections` },
      { action: "schema.register_orphan", words: msg`Registered orphaned content` },
      { action: "schema.create_field", words: msg`Created a field` },
      { action: "schema.update_field", words: msg`Changed a field` },
      { action: "schema.delete_field", words: msg`Deleted a field` },
      { action: "schema.reorder_fields", words: msg`Reordered fields` },
    ],
  },
];

const WORDS = new Map(DEEDS.flatMap(({ deeds }) => deeds.map(({ action, words }) => [action, words])));

/** A deed in words; none for one that this application does not know yet. */
export function deedWords(action: string): MessageDescriptor | undefined {
  return WORDS.get(action);
}

/** What it was done to, by the name that people know it by. */
export function objectOf({ resource, details }: AuditLine): string | undefined {
  if (resource.label) return resource.label;
  const said = typeof details === "object" && details !== null ? (details as Record<string, unknown>) : {};
  const named = [said.name, said.email, said.title, said.to, said.provider, said.client].find((name) => typeof name === "string" && name !== "");
  if (typeof named === "string") return named;
  return ["collection", "field", "allowed_domain", "oauth_client"].includes(resource.type) ? (resource.id ?? undefined) : undefined;
}
