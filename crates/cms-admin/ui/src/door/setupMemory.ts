// What somebody has typed into the setup, for as long as the tab is open: going back and reloading lose none of it. Secrets are not kept.

const KEY = "cms-setup";

/** What the first step asks for. */
export interface Site {
  title: string;
  tagline: string;
  includeContent: boolean;
}

/** What the second step asks for. */
export interface Account {
  email: string;
  name: string;
}

interface Typed {
  site: Site;
  account: Account;
  /** Whether the account was accepted, so that its passkey is next. */
  isAtPasskey: boolean;
}

const NOTHING: Typed = { site: { title: "", tagline: "", includeContent: true }, account: { email: "", name: "" }, isAtPasskey: false };

/** What was typed so far. */
export function recall(storage: Pick<Storage, "getItem"> = sessionStorage): Typed {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? "{}") as Partial<Typed>;
    return { site: { ...NOTHING.site, ...kept.site }, account: { ...NOTHING.account, ...kept.account }, isAtPasskey: kept.isAtPasskey === true };
  } catch {
    return NOTHING;
  }
}

/** Keeps a part of it. */
export function remember(part: Partial<Typed>, storage: Pick<Storage, "getItem" | "setItem"> = sessionStorage): void {
  try {
    storage.setItem(KEY, JSON.stringify({ ...recall(storage), ...part }));
  } catch {
    // Without storage a reload begins anew.
  }
}

/** The setup is over. */
export function forget(storage: Pick<Storage, "removeItem"> = sessionStorage): void {
  try {
    storage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}
