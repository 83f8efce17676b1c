// What a place shows when there is nothing to show: loading, nothing yet, a failure, no permission.

import { Trans } from "@lingui/react/macro";
import { Lock, RefreshCw, SearchX, Unplug } from "lucide-react";
import type { ReactNode } from "react";

import { ApiError, messageOf } from "~/api/errors";
import { cx } from "~/lib/cx";
import { useTriesAgain } from "~/lib/triesAgain";

import { Button } from "./Button";

interface StateProps {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  /** What people can do about it. */
  action?: ReactNode;
}

/** Nothing here yet: says what would be here, and how it gets here. */
export function EmptyState({ icon, title, children, action }: StateProps) {
  return (
    <div className="grid justify-items-center gap-1 px-6 py-12 text-center">
      <div aria-hidden className="mb-2 grid size-11 place-items-center rounded-full border border-line bg-sunken text-muted [&_svg]:size-5">
        {icon ?? <SearchX />}
      </div>
      <p className="text-md font-semibold">{title}</p>
      {children && <div className="max-w-md text-muted">{children}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** A failure, with another try where that may help: by itself where nobody answered. A refusal for lack of permission shows as such. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  useTriesAgain(error, onRetry);
  if (error instanceof ApiError && error.status === 403) return <ForbiddenState>{messageOf(error)}</ForbiddenState>;
  const known = error instanceof ApiError ? error : undefined;
  return (
    <div role="alert">
      <EmptyState
        icon={<Unplug />}
        title={<Trans>This could not be loaded</Trans>}
        action={
          onRetry && (
            <Button icon={<RefreshCw />} onClick={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          )
        }
      >
        <p>{messageOf(error)}</p>
        {known?.requestId && known.status >= 500 && (
          <p className="mt-1 text-sm">
            <Trans>
              Request <code className="font-mono">{known.requestId}</code>
            </Trans>
          </p>
        )}
      </EmptyState>
    </div>
  );
}

/** The role does not allow this. */
export function ForbiddenState({ children }: { children?: ReactNode }) {
  return (
    <EmptyState icon={<Lock />} title={<Trans>You cannot see this</Trans>}>
      {children ?? <Trans>Your role does not allow this. An administrator can change that.</Trans>}
    </EmptyState>
  );
}

/** A grey bar in the place of a text that is on its way. Give it the size of the text. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx("block animate-shimmer rounded-sm bg-active", className ?? "h-4 w-full")} />;
}

/** Rows of a list that is on its way. */
export function SkeletonRows({ rows = 5 }: { rows?: number }) {
  return (
    <div role="status" className="divide-y divide-line border-t border-line">
      <span className="sr-only">
        <Trans>Loading…</Trans>
      </span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex items-center gap-4 px-5 py-3.5">
          <Skeleton className="size-8 shrink-0 rounded-full" />
          <div className="grid grow gap-1.5">
            <Skeleton className={row % 2 ? "h-3.5 w-44 max-w-full" : "h-3.5 w-56 max-w-full"} />
            <Skeleton className="h-3 w-28" />
          </div>
        </div>
      ))}
    </div>
  );
}

interface Asked<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

/** Shows a query: its skeleton while it loads, its failure with another try, else its data. */
export function Loaded<Data>({ query, skeleton, children }: { query: Asked<Data>; skeleton?: ReactNode; children: (data: Data) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return skeleton ?? <SkeletonRows />;
  return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
}
