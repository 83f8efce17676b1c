// What a list says when the server has no index for what was asked.

import { Trans } from "@lingui/react/macro";
import { DatabaseZap, Hourglass, RefreshCw } from "lucide-react";

import { isCode } from "~/api/errors";
import { Button } from "~/components/Button";
import { EmptyState, ErrorState } from "~/components/states";

interface FilterProblemProps {
  error: unknown;
  onRetry: () => void;
  /** Asks for less: no filters, the usual order. */
  onClear: () => void;
}

export function FilterProblem({ error, onRetry, onClear }: FilterProblemProps) {
  const clear = (
    <Button onClick={onClear}>
      <Trans>Clear filters</Trans>
    </Button>
  );
  if (isCode(error, "INDEX_BUILDING")) {
    return (
      <div role="alert">
        <EmptyState
          icon={<Hourglass />}
          title={<Trans>This field is still being indexed</Trans>}
          action={
            <>
              <Button icon={<RefreshCw />} onClick={onRetry}>
                <Trans>Try again</Trans>
              </Button>
              {clear}
            </>
          }
        >
          <Trans>You can filter and sort by it as soon as that is done.</Trans>
        </EmptyState>
      </div>
    );
  }
  const isUnindexed = isCode(error, "UNINDEXED_FILTER") || (isCode(error, "VALIDATION_ERROR") && error.issues.some(({ code }) => code === "FIELD_NOT_INDEXED"));
  if (isUnindexed) {
    return (
      <div role="alert">
        <EmptyState icon={<DatabaseZap />} title={<Trans>There are too many entries for this combination</Trans>} action={clear}>
          <Trans>No index covers these filters in this order. Use fewer filters or another order, or ask an administrator to index the field.</Trans>
        </EmptyState>
      </div>
    );
  }
  return <ErrorState error={error} onRetry={onRetry} />;
}
