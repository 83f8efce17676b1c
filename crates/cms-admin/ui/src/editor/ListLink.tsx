// The way back to the list that an entry is in, as one left it.

import { useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { lastSearch, returnToPlace } from "~/content/lastList";
import { home } from "~/lib/site";

/** The list's address with its filters, and its rows where they were, if it was looked at before. */
export function ListLink({ collection, className, children }: { collection: string; className?: string; children: ReactNode }) {
  const router = useRouter();
  const path = `/content/${collection}${lastSearch(collection)}`;
  return (
    <a
      href={home + path}
      className={className}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        returnToPlace();
        void router.navigate({ href: path, resetScroll: false });
      }}
    >
      {children}
    </a>
  );
}
