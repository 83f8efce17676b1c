// Whether somebody is signing out just now: then no refusal asks them to sign in again.

export const isLeaving = { current: false };
