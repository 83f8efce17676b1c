// The head of an operation or a tool: what it does, its address, its names.

import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";

import { useMedia } from "~/lib/useMedia";

import { Method } from "./Method";

interface HeadingProps {
  title: string;
  method?: string;
  path?: string;
  id: string;
  tool?: string | undefined;
  children: ReactNode;
}

/** Where the list is not beside it, as on phones. */
const ALONE = "(width < 64rem)";

export function Heading({ title, method, path, id, tool, children }: HeadingProps) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const isAlone = useMedia(ALONE);
  // The list that was pressed in is gone: whoever uses a keyboard goes on at the heading.
  useEffect(() => {
    if (matchMedia(ALONE).matches) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className="grid min-w-0 gap-3">
      {isAlone && (
        <Link to="/developers/api" search={({ q, list }) => ({ ...(q ? { q } : {}), ...(list ? { list } : {}) })} className="flex w-fit items-center gap-1 rounded-sm text-sm text-muted hover:text-ink pointer-coarse:min-h-11">
          <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
          <Trans>Back to the list</Trans>
        </Link>
      )}
      <h2 ref={heading} tabIndex={-1} lang="en" dir="auto" className="text-lg font-semibold break-words outline-none">
        {title}
      </h2>
      {method && path && (
        <p dir="ltr" className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-start">
          <Method method={method} className="text-sm" />
          <code className="min-w-0 font-mono wrap-anywhere">{path}</code>
        </p>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        <code dir="ltr" className="font-mono wrap-anywhere" title={t`Its name in the document`}>
          {id}
        </code>
        {tool && (
          <span>
            <Trans>
              Tool{" "}
              <Link to="/developers/api" search={{ tool }} className="rounded-sm font-mono text-accent-ink underline underline-offset-2">
                {tool}
              </Link>
            </Trans>
          </span>
        )}
      </p>
      {children}
    </header>
  );
}
