// Where a file is used: links to the entries, and whether all of them are known.

import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { Button } from "~/components/Button";
import { ErrorState, Skeleton } from "~/components/states";

import { usageKey, usagePage } from "../queries";

export function Usage({ id }: { id: string }) {
  const query = useInfiniteQuery({
    queryKey: usageKey(id),
    queryFn: ({ pageParam, signal }) => usagePage(id, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  if (query.isPending) return <Skeleton className="h-4 w-40" />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const entries = query.data.pages.flatMap(({ items }) => items);
  const isComplete = query.data.pages[0]?.coverage.status === "complete";
  return (
    <div className="grid gap-2">
      {!isComplete && <Uncounted />}
      {entries.length === 0 ? (
        isComplete && (
          <p className="text-muted">
            <Trans>It is not used in any content.</Trans>
          </p>
        )
      ) : (
        <ul className="grid gap-1.5">
          {entries.map((entry) => (
            <Entry key={`${entry.collection} ${entry.contentId}`} entry={entry} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <span>
          <Button size="sm" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            <Trans>Show more</Trans>
          </Button>
        </span>
      )}
    </div>
  );
}

/** Not all content was looked through. */
export function Uncounted() {
  return (
    <p className="text-sm text-warn">
      <Trans>Not all content has been looked through yet: it may be used elsewhere as well.</Trans>
    </p>
  );
}

function Entry({ entry: { collection, contentId, title, slug, locale, deletedAt, status } }: { entry: Awaited<ReturnType<typeof usagePage>>["items"][number] }) {
  const { t } = useLingui();
  const name = title ?? slug ?? contentId;
  const states: Record<string, string> = { draft: t`Draft`, published: t`Published`, scheduled: t`Scheduled` };
  const standing = deletedAt ? t`In the trash` : (states[status] ?? status);
  return (
    <li className="min-w-0">
      {deletedAt ? (
        <bdi>{name}</bdi>
      ) : (
        <Link to="/content/$collection/$id" params={{ collection, id: contentId }} className="rounded-sm font-medium underline decoration-line-strong underline-offset-4 hover:decoration-current">
          <bdi>{name}</bdi>
        </Link>
      )}
      <span className="block text-sm text-muted">
        <bdi>{collection}</bdi>
        {" · "}
        <bdi>{locale}</bdi>
        {" · "}
        {standing}
      </span>
    </li>
  );
}
