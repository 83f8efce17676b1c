// What the audit log calls its lines, in words.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

import type { AuditLine } from "~/api/types";

/** A deed in words. */
export interface Deed {
  action: string;
  words: MessageDescriptor;
}

/** Deeds that are about the same. */
export interface DeedGroup {
  label: MessageDescriptor;
  deeds: Deed[];
}

/** Deeds in words, by what they are about. Those of a resource with a screen of its own are told by its route; one without words is shown by its name. */
export const DEEDS: DeedGroup[] = [
  {
    label: msg`Signing in and out`,
    deeds: [
      { action: "passkey.sign_in", words: msg`Signed in with a passkey` },
      { action: "magic_link.verify", words: msg`Signed in with a link` },
      { action: "magic_link.write", words: msg`Was sent a sign-in link` },
      { action: "provider.sign_in", words: msg`Signed in at a provider` },
      { action: "gateway.sign_in", words: msg`Came in through the access gateway` },
      { action: "proof.passkey", words: msg`Confirmed who they are with a passkey` },
      { action: "proof.link", words: msg`Confirmed who they are with a link` },
      { action: "proof.send_link", words: msg`Was sent a link to confirm who they are` },
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
      { action: "account.refuse_email_change", words: msg`Stopped a change of e-mail address` },
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
      { action: "user.revoke_session", words: msg`Signed a user out of one browser` },
      { action: "user.revoke_passkey", words: msg`Removed a user’s passkey` },
      { action: "user.revoke_token", words: msg`Revoked a user’s access token` },
      { action: "user.revoke_grant", words: msg`Disconnected a user’s application` },
      { action: "user.end_access", words: msg`Ended a user’s access` },
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
      { action: "oauth.narrow_grant", words: msg`Limited what an application may do` },
      { action: "oauth.revoke_grant", words: msg`Disconnected an application` },
      { action: "oauth_client.create", words: msg`Added an application` },
      { action: "oauth_client.update", words: msg`Changed an application` },
      { action: "oauth_client.delete", words: msg`Removed an application` },
    ],
  },
  {
    label: msg`Content`,
    deeds: [
      { action: "content.create", words: msg`Created an entry` },
      { action: "content.update", words: msg`Changed an entry` },
      { action: "content.merge", words: msg`Merged changes into an entry` },
      { action: "content.publish", words: msg`Published an entry` },
      { action: "content.publish_due", words: msg`Published a scheduled entry` },
      { action: "content.unpublish", words: msg`Unpublished an entry` },
      { action: "content.schedule", words: msg`Scheduled an entry` },
      { action: "content.unschedule", words: msg`Cancelled the schedule of an entry` },
      { action: "content.schedule_unpublish", words: msg`Scheduled an entry to be unpublished` },
      { action: "content.unpublish_due", words: msg`Unpublished an entry on schedule` },
      { action: "content.delete", words: msg`Moved an entry to the trash` },
      { action: "content.restore", words: msg`Restored an entry from the trash` },
      { action: "content.bulk", words: msg`Changed many entries` },
      { action: "content.cancel_bulk", words: msg`Stopped a change to many entries` },
      { action: "content.undo_bulk", words: msg`Undid a change to many entries` },
      { action: "content.permanent_delete", words: msg`Deleted an entry for good` },
      { action: "content.preview_url", words: msg`Made a preview link` },
      { action: "content.revoke_preview", words: msg`Revoked a preview link` },
      { action: "content.revoke_previews", words: msg`Revoked preview links` },
      { action: "content.start_import", words: msg`Started an import` },
      { action: "content.import_lines", words: msg`Imported content from a file` },
      { action: "content.import", words: msg`Imported an entry at the command line` },
      { action: "content.start_export", words: msg`Started an export` },
      { action: "content.download_export", words: msg`Downloaded an export` },
      { action: "export.begin", words: msg`Exported content` },
      { action: "view.create", words: msg`Saved a view` },
      { action: "view.update", words: msg`Changed a view` },
      { action: "view.delete", words: msg`Deleted a view` },
    ],
  },
  {
    label: msg`Media`,
    deeds: [
      { action: "media.upload", words: msg`Uploaded a file` },
      { action: "media.bring", words: msg`Sent the bytes of a file` },
      { action: "media.confirm", words: msg`Confirmed an upload` },
      { action: "media.update", words: msg`Changed what is said of a file` },
      { action: "media.replace", words: msg`Replaced a file` },
      { action: "media.delete", words: msg`Deleted a file for good` },
      { action: "media_folder.create", words: msg`Created a media folder` },
      { action: "media_folder.update", words: msg`Renamed a media folder` },
      { action: "media_folder.delete", words: msg`Deleted a media folder` },
      { action: "media_usage.repair", words: msg`Had it looked up again where files are used` },
    ],
  },
  {
    label: msg`Site and content model`,
    deeds: [
      { action: "setup.begin", words: msg`Named the site` },
      { action: "setup.finish", words: msg`Set up the site` },
      { action: "site.sample_content", words: msg`Created sample content` },
      { action: "connection.adopt", words: msg`Recorded which provider linked accounts belong to` },
      { action: "jobs.pause", words: msg`Paused a job` },
      { action: "jobs.resume", words: msg`Resumed a job` },
      { action: "jobs.cancel", words: msg`Cancelled a job` },
      { action: "jobs.retry", words: msg`Tried a job again` },
      { action: "schema.create_collection", words: msg`Created a collection` },
      { action: "schema.update_collection", words: msg`Changed a collection` },
      { action: "schema.delete_collection", words: msg`Deleted a collection` },
      { action: "schema.reorder_collections", words: msg`Reordered collections` },
      { action: "schema.register_orphan", words: msg`Registered orphaned content` },
      { action: "schema.create_field", words: msg`Created a field` },
      { action: "schema.update_field", words: msg`Changed a field` },
      { action: "schema.rename_field", words: msg`Renamed a field` },
      { action: "schema.delete_field", words: msg`Deleted a field` },
      { action: "schema.reorder_fields", words: msg`Reordered fields` },
      { action: "schema.apply", words: msg`Applied a content model` },
    ],
  },
];

/** What was decided, for the deeds that are decisions: allowing and denying must not read alike. */
const DECISIONS: Record<string, Record<Outcome, MessageDescriptor>> = {
  "oauth.decide": { allowed: msg`Allowed an application`, denied: msg`Denied an application` },
  "oauth.decide_device": { allowed: msg`Allowed a device`, denied: msg`Denied a device` },
};

export type Outcome = "allowed" | "denied";

/** The outcome of a decision; none for deeds that decide nothing. */
export function outcomeOf({ action, details }: AuditLine): Outcome | undefined {
  if (!Object.hasOwn(DECISIONS, action)) return undefined;
  return membersOf(details).approved ? "allowed" : "denied";
}

/** What a decision came to, in words. */
export function decisionWords(line: AuditLine): MessageDescriptor | undefined {
  const outcome = outcomeOf(line);
  return outcome && DECISIONS[line.action]?.[outcome];
}

/** What it was done to, by the name that people knew it by then. */
export function objectOf({ resource, details }: AuditLine): string | undefined {
  const said = membersOf(details);
  const named = [resource.label, said.name, said.email, said.title, said.to, said.provider, said.client].find((name) => typeof name === "string" && name !== "");
  if (typeof named === "string") return named;
  return NAMED_BY_ID.includes(resource.type) ? (resource.id ?? undefined) : undefined;
}

/** Things whose id is what people call them. */
const NAMED_BY_ID = ["collection", "field", "allowed_domain", "oauth_client"];

/** The members of what else there is to know. */
export function membersOf(details: unknown): Record<string, unknown> {
  return typeof details === "object" && details !== null && !Array.isArray(details) ? (details as Record<string, unknown>) : {};
}
