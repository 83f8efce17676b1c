// The end of a list that comes in pages, as cursors do. The page is part of the address: reloading, links and the back button keep it.

import { Plural, Trans } from "@lingui/react/macro";
import type { LinkProps } from "@tanstack/react-router";
import { ChevronRight, ChevronsLeft } from "lucide-react";

import { ButtonLink } from "~/components/Button";

interface PaginationProps {
  /** How many rows the page has. */
  shown: number;
  /** Where the list goes on; absent on the last page. */
  next: string | null | undefined;
  /** Where this page begins; absent on the first. */
  cursor: string | undefined;
}

/** Says how many are shown, and leads to the next page and back to the first. The screen keeps `cursor` in its search. */
export function Pagination({ shown, next, cursor }: PaginationProps) {
  const to = (cursor: string | undefined) => ({ to: ".", search: (old: object) => ({ ...old, cursor }) }) as LinkProps;
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm text-muted">
      <span role="status">
        <Plural value={shown} one="# shown" other="# shown" />
      </span>
      <div className="flex gap-2">
        {cursor && (
          <ButtonLink size="sm" icon={<ChevronsLeft className="rtl:-scale-x-100" />} {...to(undefined)}>
            <Trans>First page</Trans>
          </ButtonLink>
        )}
        {next && (
          <ButtonLink size="sm" {...to(next)}>
            <span className="flex items-center gap-1">
              <Trans>Next page</Trans>
              <ChevronRight aria-hidden className="rtl:-scale-x-100" />
            </span>
          </ButtonLink>
        )}
      </div>
    </div>
  );
}
