// Operations that are not like the others: those that a browser takes part in, and those that hand out or are given a secret.

/**
 * Steps of a sign-in, a setup or a proof: they are sent with what a passkey, a letter or a provider gave, which nobody has at hand here, and some of them
 * would take the session from under this page.
 */
const DANCES = new Set([
  "beginSetup",
  "beginFirstAdmin",
  "finishSetup",
  "beginPasskeySignIn",
  "finishPasskeySignIn",
  "beginPasskeyProof",
  "finishPasskeyProof",
  "useProofLink",
  "beginProviderProof",
  "beginPasskey",
  "registerPasskey",
  "decideAuthorization",
  "describeAuthorization",
  "decideDevice",
  "describeDevice",
  "verifyMagicLink",
  "verifySignUp",
  "beginSignUp",
  "completeSignUp",
  "checkInvitation",
  "beginInvitation",
  "completeInvitation",
  "confirmEmail",
  "refuseEmailChange",
  "beginProviderSignIn",
  "beginConnection",
]);

/** Their answers let whoever has them in: a token, or an address that has one. */
const SECRETS = new Set(["createToken", "createInvitation", "resendInvitation", "sendRecovery", "makePreviewUrl", "getMediaUploadUrl"]);

/** Whether a browser takes part, so that the operation is of no use by itself. */
export const isDance = (id: string) => DANCES.has(id);

/** Whether the answer is a secret: it is covered until somebody wants to see it. */
export const isSecret = (id: string) => SECRETS.has(id);

/** What secrets are called, in operations that are not ours as well. */
const NAMES = /^(.*[-_])?(token|secret|credential|password|passphrase|code)$|(Token|Secret|Password)$/i;

/** Whether what something is sent with may be remembered: by what it is, and by the names of what it is sent with. */
export const isKept = (id: string, names: string[]) => !DANCES.has(id) && !SECRETS.has(id) && !names.some((name) => NAMES.test(name));

export const SPECIAL = [...DANCES, ...SECRETS];
