// What was saved over time: by whom, what changed, and the way back to it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { components } from "~/api/schema";
import { Badge } from "~/components/Badge";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { ErrorState, Skeleton } from "~/components/states";
import { toast } from "~/components/toast";
import { messageOf } from "~/api/errors";
import { Notice } from "~/components/Notice";
import type { Values } from "~/editing/merge";
import { useFormat } from "~/lib/format";
import { isSame } from "~/lib/same";
import { useMe } from "~/session/session";

import { Difference } from "../Difference";
import type { Actions } from "../model/actions";
import { useItem, useSession } from "../model/context";
import { usePlaceName } from "../model/names";
import { PUBLISHED_AT, valuesOf, type Field, type Item } from "../model/values";

type Revision = components["schemas"]["RevisionView"];

interface HistoryProps {
  actions: Actions;
  canRestore: boolean;
  onRefused: () => void;
  /** The entry is as it was: whoever wanted that wants to see it. */
  onRestored: () => void;
}

export function History(props: HistoryProps) {
  const item = useItem();
  if (!item) {
    return (
      <p className="text-muted">
        <Trans>Nothing was saved yet.</Trans>
      </p>
    );
  }
  return <Saved item={item} {...props} />;
}

function Saved({ item, actions, canRestore, onRefused, onRestored }: HistoryProps & { item: Item }) {
  const { t } = useLingui();
  const { dateTime, relative, list } = useFormat();
  const { collection, fields } = useSession();
  const placeName = usePlaceName();
  const saver = useSaver();
  const [open, setOpen] = useState<{ revision: Revision; before: Revision | undefined }>();
  const query = useInfiniteQuery({
    queryKey: ["content", collection.slug, item.id, "revisions", item.version],
    queryFn: ({ pageParam }) =>
      answer(api.GET("/content/{collection}/{id}/revisions", { params: { path: { collection: collection.slug, id: item.id }, query: { limit: 20, ...(pageParam ? { cursor: pageParam } : {}) } } })),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (before) => before,
  });
  if (query.isPending) return <Skeleton className="h-24" />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const revisions = query.data.pages.flatMap(({ items }) => items);
  const newest = revisions[0]?.id;
  return (
    <>
      <ol className="-mx-2 grid gap-0.5">
        {revisions.map((revision, n) => (
          <li key={revision.id}>
            <button
              type="button"
              className="grid w-full gap-0.5 rounded-md px-2 py-1.5 text-start hover:bg-hover pointer-coarse:min-h-11"
              onClick={() => setOpen({ revision, before: revisions[n + 1] })}
            >
              <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
                <time dateTime={revision.updatedAt} title={dateTime(revision.updatedAt)}>
                  {relative(revision.updatedAt)}
                </time>
                {revision.id === newest && (
                  <Badge>
                    <Trans>Newest</Trans>
                  </Badge>
                )}
                {revision.id === item.liveRevisionId && (
                  <Badge tone="good">
                    <Trans>Live</Trans>
                  </Badge>
                )}
              </span>
              <span className="text-sm text-muted">
                {saver(revision)}
                {revision.autosave && ` · ${t`saved automatically`}`}
              </span>
              <span className="truncate text-sm text-muted empty:hidden">{revisions[n + 1] && list(changed(valuesIn(revisions[n + 1]), valuesIn(revision), fields).map(placeName))}</span>
            </button>
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <Button size="sm" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          <Trans>Show older ones</Trans>
        </Button>
      )}
      {open && (
        <RevisionDialog
          {...open}
          item={item}
          who={saver(open.revision)}
          onClose={() => setOpen(undefined)}
          restore={canRestore && open.revision.id !== newest ? () => actions.restore(open.revision.id) : undefined}
          onRefused={onRefused}
          onRestored={onRestored}
        />
      )}
    </>
  );
}

/** Whoever saved, as whoever reads it calls them. */
function useSaver(): (revision: Revision) => string {
  const { t } = useLingui();
  const me = useMe();
  return ({ authorId, authorName }) => (authorId === null ? t`The system` : authorId === me.id ? t`You` : (authorName ?? t`Somebody`));
}

interface RevisionDialogProps {
  revision: Revision;
  before: Revision | undefined;
  item: Item;
  who: string;
  onClose: () => void;
  restore: (() => Promise<boolean>) | undefined;
  onRefused: () => void;
  onRestored: () => void;
}

function RevisionDialog({ revision, before, item, who, onClose, restore, onRefused, onRestored }: RevisionDialogProps) {
  const { t } = useLingui();
  const { dateTime } = useFormat();
  const [against, setAgainst] = useState<"before" | "now">("before");
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const other = against === "now" ? item : before;
  const time = dateTime(revision.updatedAt);

  async function go() {
    setPending(true);
    setProblem(undefined);
    try {
      if (await restore?.()) {
        toast.good(t`Restored as it was on ${time}`);
        onClose();
        onRestored();
      } else {
        onClose();
        onRefused();
      }
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setPending(false);
    }
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} locked={isPending} size="lg" title={<Trans>As it was on {time}</Trans>} description={who}>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <div role="group" aria-label={t`Compare with`} className="mb-2 flex flex-wrap gap-2">
        <Button size="sm" aria-pressed={against === "before"} variant={against === "before" ? "primary" : "secondary"} onClick={() => setAgainst("before")}>
          <Trans>What changed then</Trans>
        </Button>
        <Button size="sm" aria-pressed={against === "now"} variant={against === "now" ? "primary" : "secondary"} onClick={() => setAgainst("now")}>
          <Trans>What is different now</Trans>
        </Button>
      </div>
      <div className="max-h-[55dvh] overflow-y-auto pe-1">
        {against === "before" ? <Differences before={before} after={revision} /> : <Differences before={revision} after={other} />}
      </div>
      <DialogActions>
        <Button onClick={onClose} disabled={isPending}>
          <Trans>Close</Trans>
        </Button>
        {restore && (
          <Button variant="primary" pending={isPending} onClick={() => void go()}>
            <Trans>Restore this version</Trans>
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

type Said = Pick<Revision, "data" | "slug" | "seo">;

function valuesIn(said: Said | undefined): Values {
  return said ? valuesOf({ data: said.data, slug: said.slug, seo: said.seo }) : {};
}

/** The places that differ, in the order of the fields. */
function changed(was: Values, is: Values, fields: Field[]): string[] {
  const order = new Map(fields.map(({ slug }, n) => [slug, n]));
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((name) => name !== PUBLISHED_AT && !isSame(was[name] ?? null, is[name] ?? null))
    .sort((one, other) => (order.get(one) ?? Infinity) - (order.get(other) ?? Infinity));
}

function Differences({ before, after }: { before: Said | undefined; after: Said | undefined }) {
  const { fields } = useSession();
  const placeName = usePlaceName();
  const [was, is] = [valuesIn(before), valuesIn(after)];
  const names = changed(was, is, fields);
  if (names.length === 0) {
    return (
      <p className="py-3 text-muted">
        <Trans>No differences.</Trans>
      </p>
    );
  }
  return names.map((name) => <Difference key={name} label={placeName(name)} type={fields.find(({ slug }) => slug === name)?.type} before={was[name]} after={is[name]} />);
}
