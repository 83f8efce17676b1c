// The name of the window.

import { useSiteName } from "~/door/queries";

/** Names the window after the screen and the site. */
export function Title({ children }: { children: string }) {
  const site = useSiteName();
  return <title>{`${children} · ${site}`}</title>;
}
