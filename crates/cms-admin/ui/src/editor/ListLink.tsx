// The way back to the list that an entry is in, as one left it.

import { useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { home } from "~/lib/site";

/** The list's address with its filters, where one came from it. */
export function ListLink({ collection, className, children }: { collection: string; className?: string; children: ReactNode }) {
  const router = useRouter();
  const path = `/content/${collection}`;
  return (
    <a
      href={home + path}
      className={className}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        void router.navigate({ href: path });
      }}
    >
      {children}
    </a>
  );
}
