// A slug that follows a label until somebody chooses one.

import { useState } from "react";

import { freeIdentifier, identifierFrom } from "./identifier";

/** What the slug becomes when the label does; nothing where it stays as it is. */
export function useSlug(taken: readonly string[], isFixed: boolean) {
  const [isChosen, setChosen] = useState(isFixed);
  return {
    follow: (label: string): string | undefined => {
      if (isChosen) return undefined;
      const made = identifierFrom(label);
      return made && freeIdentifier(made, taken);
    },
    /** Somebody typed one. An empty one follows the label again. */
    choose: (slug: string) => setChosen(slug !== ""),
  };
}
