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
const SECRETS = new Set(["createToken", "createInvitation", "resendInvitation", "sendRecovery", "makePreviewUrl"]);

/** They are sent with a secret, which is not kept. */
const GIVEN = new Set(["getPreview", "acquireEntryLock", "releaseEntryLock"]);

/** Whether a browser takes part, so that the operation is of no use by itself. */
export const isDance = (id: string) => DANCES.has(id);

/** Whether the answer is a secret: it is covered until somebody wants to see it. */
export const isSecret = (id: string) => SECRETS.has(id);

/** Whether what an operation is sent with may be remembered. */
export const isKept = (id: string) => !DANCES.has(id) && !SECRETS.has(id) && !GIVEN.has(id);

export const SPECIAL = [...DANCES, ...SECRETS, ...GIVEN];
