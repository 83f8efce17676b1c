// Why signing in elsewhere failed: the codes that the server puts into the address, in words.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

const TEXTS: Record<string, MessageDescriptor> = {
  account_disabled: msg`This account is suspended. Ask an administrator.`,
  already_connected: msg`This provider account belongs to another user.`,
  invalid_provider: msg`This provider is not available here.`,
  invalid_state: msg`This took too long, or was started in another browser. Start again.`,
  invite_email_mismatch: msg`The invitation is for another e-mail address.`,
  invite_email_unverified: msg`The provider does not vouch for your e-mail address. Confirm it there first.`,
  invite_invalid: msg`The invitation is not valid, or is for another e-mail address.`,
  oauth_denied: msg`Access was not granted at the provider.`,
  profile_fetch_failed: msg`The provider could not sign you in. Try again, or choose another way.`,
  proof_rejected: msg`That is not the account you are signed in with here. Choose one that is linked to your account.`,
  provider_unavailable: msg`The provider cannot be reached. Try again, or choose another way.`,
  rate_limited: msg`Too many attempts. Wait a moment and try again.`,
  server_error: msg`Something went wrong on the server. Try again; if it keeps happening, the server’s log says why.`,
  signup_not_allowed: msg`There is no account for you here. Ask an administrator for an invitation.`,
  token_exchange_failed: msg`The provider could not sign you in. Try again, or choose another way.`,
};

/** Codes come from the address, where anybody can write `constructor` as well. */
function known(code: string): MessageDescriptor | undefined {
  const name = code.toLowerCase();
  return Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined;
}

/** Why linking an account elsewhere failed, for people who are signed in. */
export function linkError(code: string): MessageDescriptor {
  return known(code) ?? msg`The account could not be linked. Try again.`;
}

/** The sentence for a code. What is not known here is not repeated: anybody can write anything into an address. */
export function loginError(code: string): MessageDescriptor {
  return known(code) ?? msg`Signing in did not work. Try again, or choose another way.`;
}
