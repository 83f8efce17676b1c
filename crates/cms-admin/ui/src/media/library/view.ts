// Whether the library is shown as tiles or as a list: in the address, and kept in this browser for each user.

export type View = "grid" | "list";

const keyOf = (user: string) => `cms-media-view:${user}`;

const isView = (text: unknown): text is View => text === "grid" || text === "list";

/** The view of the address, else the one that was chosen last. */
export function viewOf(address: string | undefined, user: string): View {
  if (isView(address)) return address;
  try {
    const kept = localStorage.getItem(keyOf(user));
    return isView(kept) ? kept : "grid";
  } catch {
    return "grid";
  }
}

export function keepView(user: string, view: View): void {
  try {
    localStorage.setItem(keyOf(user), view);
  } catch {
    // It is in the address all the same.
  }
}
