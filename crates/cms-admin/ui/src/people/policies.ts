// The policies of a site in words.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

interface PolicyWords {
  name: MessageDescriptor;
  /** What it does while it is in force. */
  does: MessageDescriptor;
}

const WORDS: Record<string, PolicyWords> = {
  "sign_in.require_user_verification": {
    name: msg`Require user verification`,
    does: msg`A passkey only counts if the device checks who is using it, by a fingerprint, a face or a PIN.`,
  },
  "sign_in.magic_links": { name: msg`No sign-in links by e-mail`, does: msg`Nobody can ask for a sign-in link. Links that an administrator sends still work.` },
  "tokens.max_age": { name: msg`Maximum age of access tokens`, does: msg`Older tokens stop working, and new ones have to end by then.` },
  "oauth.grant_absolute": { name: msg`Maximum age of connected applications`, does: msg`After this time, people have to allow an application again, however often it is used.` },
  "sessions.absolute": { name: msg`Maximum length of a session`, does: msg`After this time, people have to sign in again, even while they are active.` },
};

const LINKING = /^providers\.(.+)\.link_by_address$/;

/** The provider whose automatic linking a setting is about. */
export function linkingProvider(setting: string): string | undefined {
  return LINKING.exec(setting)?.[1];
}

/** A policy in words; none for one that this application does not know yet. */
export function policyWords(setting: string): PolicyWords | undefined {
  return Object.hasOwn(WORDS, setting) ? WORDS[setting] : undefined;
}
