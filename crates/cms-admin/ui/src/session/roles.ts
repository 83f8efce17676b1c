// Roles in words.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

/** Every role, lowest first, with what it lets people do. */
export const ROLES: { level: number; name: MessageDescriptor; can: MessageDescriptor }[] = [
  { level: 10, name: msg`Subscriber`, can: msg`Reads what is published.` },
  { level: 20, name: msg`Contributor`, can: msg`Writes drafts for others to publish.` },
  { level: 30, name: msg`Author`, can: msg`Writes and publishes their own entries.` },
  { level: 40, name: msg`Editor`, can: msg`Edits and publishes everyone’s entries.` },
  { level: 50, name: msg`Admin`, can: msg`Manages everything: people, settings and the content model.` },
];

/** The name of a role. */
export function roleName(level: number): MessageDescriptor {
  return ROLES.find((role) => role.level === level)?.name ?? msg`Unknown role`;
}

/** What a role lets people do. */
export function roleCan(level: number): MessageDescriptor | undefined {
  return ROLES.find((role) => role.level === level)?.can;
}
