// What can go wrong with a request, as values that the screens understand.

import { i18n, type MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

/** One problem of an input: where it is and what it is. */
export interface Issue {
  path: string;
  code: string;
  message: string;
}

/** A request that the server refused, or that never reached it (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: Issue[];
  /** Seconds to wait before another try, when the server named them. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  /** What else the server says of it, by name. */
  readonly details: Record<string, unknown>;

  constructor(of: { status: number; code: string; message: string; issues?: Issue[]; retryAfter?: number; requestId?: string; details?: Record<string, unknown> }) {
    super(of.message);
    this.name = "ApiError";
    this.status = of.status;
    this.code = of.code;
    this.issues = of.issues ?? [];
    this.retryAfter = of.retryAfter;
    this.requestId = of.requestId;
    this.details = of.details ?? {};
  }

  /** Whether nobody answered: the network, or what stands in front of the server and does not find it. */
  get isUnanswered(): boolean {
    return this.status === 0 || (this.status >= 502 && this.status <= 504);
  }

  /** Whether another try may help: the network, an overload, a fault of the server. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Whether something thrown is the server's answer of one of these codes. */
export function isCode(error: unknown, ...codes: string[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}

/** What people are told. The server's own words are English; those that people meet often are said here in their language. */
const TEXTS: Record<string, MessageDescriptor> = {
  NETWORK: msg`The server cannot be reached. Check your connection and try again.`,
  BAD_ANSWER: msg`The server’s answer could not be understood. Try again, or reload the page.`,
  RATE_LIMITED: msg`Too many attempts. Wait a moment and try again.`,
  NOT_AUTHENTICATED: msg`You are signed out, so this was not done. Try again, and sign in when you are asked.`,
  INSUFFICIENT_PERMISSIONS: msg`Your role does not allow this.`,
  SESSION_REQUIRED: msg`Sign in to do this.`,
  REAUTHENTICATION_REQUIRED: msg`Nothing was changed: confirm that it is you first.`,
  PROOF_REJECTED: msg`This does not belong to the account you are signed in with. Use a passkey or an account of your own.`,
  ACCOUNT_DISABLED: msg`This account is suspended. Ask an administrator.`,
  CHALLENGE_EXPIRED: msg`This took too long, or was started in another browser. Start again.`,
  NOT_FOUND: msg`This does not exist, or no longer exists.`,
  CONFLICT: msg`This was changed in the meantime. Reload it and make your change again.`,
  EMAIL_IN_USE: msg`There is already an account with this e-mail address.`,
  USER_EXISTS: msg`There is already an account with this e-mail address.`,
  EMAIL_NOT_CONFIGURED: msg`This site cannot send e-mail yet.`,
  MAGIC_LINKS_OFF: msg`This site does not let people sign in with links by e-mail.`,
  EMAIL_FAILED: msg`The e-mail could not be sent.`,
  INVALID_LINK: msg`This link is not valid, or has already been used.`,
  TOKEN_EXPIRED: msg`This link has expired. Ask for a new one.`,
  DOMAIN_NOT_ALLOWED: msg`Addresses of this domain may not sign up here.`,
  PASSKEY_LIMIT: msg`You have as many passkeys as an account can have. Remove one first.`,
  LAST_PASSKEY: msg`This is your only passkey. Add another one before you remove it.`,
  CREDENTIAL_EXISTS: msg`This passkey is already registered.`,
  LAST_ADMIN: msg`The site needs at least one active administrator.`,
  SELF_ROLE_CHANGE: msg`You cannot change your own role.`,
  INTERNAL_ERROR: msg`Something went wrong on the server. Try again; if it keeps happening, the server’s log says why.`,
  BUSY: msg`The server is busy. Try again.`,
};

/** The sentence that people are shown for a failure. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return i18n._(msg`Something went wrong in this page. Reload it and try again.`);
  const text = TEXTS[error.code];
  return text ? i18n._(text) : sentence(error.message);
}

/** A message as a sentence: the server begins them in lower case and leaves out the full stop. */
export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
