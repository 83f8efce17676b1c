// What makes an account safe.

/** With fewer passkeys, the loss of one device locks people out. */
export const ENOUGH_PASSKEYS = 2;
