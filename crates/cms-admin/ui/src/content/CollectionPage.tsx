// The frame of the screens of a collection: tabs for its entries and its trash, and what stands there when there is no such collection.

import { Trans, useLingui } from "@lingui/react/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { isCode } from "~/api/errors";
import type { Collection } from "~/api/types";
import { Card } from "~/components/Card";
import { EmptyState, ForbiddenState, Loaded } from "~/components/states";
import { useCan } from "~/session/session";

interface CollectionPageProps {
  slug: string;
  query: UseQueryResult<Collection>;
  children: (collection: Collection) => ReactNode;
}

const TAB = "-mb-px border-b-2 border-transparent px-1 py-2 text-muted hover:text-ink pointer-coarse:py-3";

export function CollectionPage({ slug, query, children }: CollectionPageProps) {
  const { t } = useLingui();
  const can = useCan();
  if (!can("content:read_drafts")) {
    return (
      <Card flush>
        <ForbiddenState />
      </Card>
    );
  }
  if (isCode(query.error, "NOT_FOUND", "COLLECTION_NOT_FOUND")) {
    return (
      <Card flush>
        <EmptyState title={<Trans>There is no such collection</Trans>}>
          <Trans>It may have been deleted, or have another name.</Trans>
        </EmptyState>
      </Card>
    );
  }
  return (
    <div data-wide>
      <nav aria-label={t`Entries and trash`} className="mb-4 flex gap-5 border-b border-line">
        <Link to="/content/$collection" params={{ collection: slug }} activeOptions={{ exact: true, includeSearch: false }} className={TAB} activeProps={{ className: "border-accent! font-medium text-ink!" }}>
          <Trans>Entries</Trans>
        </Link>
        <Link to="/content/$collection/trash" params={{ collection: slug }} className={TAB} activeProps={{ className: "border-accent! font-medium text-ink!" }}>
          <Trans>Trash</Trans>
        </Link>
      </nav>
      {query.data ? (
        children(query.data)
      ) : (
        <Card flush>
          <Loaded query={query}>{children}</Loaded>
        </Card>
      )}
    </div>
  );
}
