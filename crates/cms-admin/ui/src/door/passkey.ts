// The browser's own passkey dialogs: options in, a credential in JSON out, failures that people can act on.

import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";

import { messageOf } from "~/api/errors";
import type { SignInCredential, CreationOptions, RegistrationCredential, RequestOptions } from "~/api/types";

type Code = "cancelled" | "timeout" | "exists" | "insecure" | "unsupported" | "origin" | "failed";

/** The browser, its user, or their device did not go through with it. */
export class PasskeyError extends Error {
  readonly code: Code;

  constructor(code: Code, cause?: unknown) {
    super(code, { cause });
    this.name = "PasskeyError";
    this.code = code;
  }
}

/** Whether this browser can use passkeys on this page at all. */
export function isPasskeySupported(): boolean {
  return window.isSecureContext && "PublicKeyCredential" in window;
}

/** Whether the browser can offer passkeys in the suggestions of a text field. */
export async function canSuggest(): Promise<boolean> {
  if (!isPasskeySupported() || !("isConditionalMediationAvailable" in PublicKeyCredential)) return false;
  return PublicKeyCredential.isConditionalMediationAvailable();
}

/** Has the browser make a passkey. */
export async function createPasskey(options: CreationOptions): Promise<RegistrationCredential> {
  needSupport();
  const credential = await ask(() => navigator.credentials.create({ publicKey: creation(options) }), options.timeout);
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    ...named(credential),
    response: {
      clientDataJSON: base64url(response.clientDataJSON),
      attestationObject: base64url(response.attestationObject),
      transports: response.getTransports(),
    },
  };
}

interface GetOptions {
  signal?: AbortSignal;
  /** Offers passkeys in the suggestions of a text field instead of opening a dialog. */
  conditional?: boolean;
}

/** Has the browser prove a passkey. */
export async function getPasskey(options: RequestOptions, { signal, conditional }: GetOptions = {}): Promise<SignInCredential> {
  needSupport();
  const asked: CredentialRequestOptions = { publicKey: request(options), ...(signal ? { signal } : {}), ...(conditional ? { mediation: "conditional" } : {}) };
  const credential = await ask(() => navigator.credentials.get(asked), conditional ? undefined : options.timeout);
  const response = credential.response as AuthenticatorAssertionResponse;
  return {
    ...named(credential),
    response: {
      clientDataJSON: base64url(response.clientDataJSON),
      authenticatorData: base64url(response.authenticatorData),
      signature: base64url(response.signature),
      ...(response.userHandle ? { userHandle: base64url(response.userHandle) } : {}),
    },
  };
}

/** What people are told when a passkey, or the request around it, failed. */
export function passkeyMessage(error: unknown): string {
  if (!(error instanceof PasskeyError)) return messageOf(error);
  switch (error.code) {
    case "cancelled":
      return i18n._(msg`The passkey prompt was closed. Try again when you are ready.`);
    case "timeout":
      return i18n._(msg`The passkey prompt timed out. Try again.`);
    case "exists":
      return i18n._(msg`This device already has a passkey for this account.`);
    case "insecure":
      return i18n._(msg`Passkeys need a secure address: open this page over HTTPS, or on localhost.`);
    case "unsupported":
      return i18n._(msg`This browser cannot use passkeys. Try another browser or device.`);
    case "origin":
      return i18n._(msg`This site’s passkeys do not work at this address. Open the site’s own address.`);
    case "failed":
      return i18n._(msg`The passkey did not work. Try again, or use another device.`);
  }
}

function needSupport(): void {
  if (!window.isSecureContext) throw new PasskeyError("insecure");
  if (!isPasskeySupported()) throw new PasskeyError("unsupported");
}

async function ask(call: () => Promise<Credential | null>, timeout: number | undefined): Promise<PublicKeyCredential> {
  const began = performance.now();
  try {
    const credential = await call();
    if (credential instanceof PublicKeyCredential) return credential;
  } catch (error) {
    throw new PasskeyError(codeOf(error, timeout !== undefined && performance.now() - began > timeout - 500), error);
  }
  throw new PasskeyError("failed");
}

/** Browsers say little on purpose: closing the prompt, waiting too long and having no passkey are one error (WebAuthn level 3, 14.5). */
function codeOf(error: unknown, isLate: boolean): Code {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError") return isLate ? "timeout" : "cancelled";
  if (name === "AbortError") return "cancelled";
  if (name === "InvalidStateError") return "exists";
  if (name === "SecurityError") return "origin";
  if (name === "NotSupportedError") return "unsupported";
  return "failed";
}

function named(credential: PublicKeyCredential) {
  return {
    id: credential.id,
    rawId: base64url(credential.rawId),
    type: "public-key" as const,
    ...(credential.authenticatorAttachment ? { authenticatorAttachment: credential.authenticatorAttachment } : {}),
  };
}

function creation(options: CreationOptions): PublicKeyCredentialCreationOptions {
  const { challenge, user, excludeCredentials, ...rest } = options;
  return {
    ...(rest as Omit<PublicKeyCredentialCreationOptions, "challenge" | "user" | "excludeCredentials">),
    challenge: bytes(challenge),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: excludeCredentials.map(descriptor),
  };
}

function request(options: RequestOptions): PublicKeyCredentialRequestOptions {
  const { challenge, allowCredentials, ...rest } = options;
  return {
    ...(rest as Omit<PublicKeyCredentialRequestOptions, "challenge" | "allowCredentials">),
    challenge: bytes(challenge),
    // An empty list would ask for no passkey at all in some browsers.
    ...(allowCredentials?.length ? { allowCredentials: allowCredentials.map(descriptor) } : {}),
  };
}

function descriptor({ id, transports }: CreationOptions["excludeCredentials"][number]): PublicKeyCredentialDescriptor {
  return { type: "public-key", id: bytes(id), transports: transports as AuthenticatorTransport[] };
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

function base64url(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
