// What the screen is like just now.

import { useSyncExternalStore } from "react";

/** Whether a media query holds. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

/** Whether there is no room for two things beside each other, as on phones. */
export function useIsNarrow(): boolean {
  return useMedia("(width < 40rem)");
}
