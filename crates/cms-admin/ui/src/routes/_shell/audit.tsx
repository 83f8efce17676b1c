// The audit log: who did what, and when.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { CircleCheck, CircleX, ScrollText, X } from "lucide-react";
import { useState, type ReactNode } from "react";

import { answer, api } from "~/api/client";
import type { AuditLine } from "~/api/types";
import { Changes } from "~/audit/Changes";
import { objectOf, outcomeOf } from "~/audit/deeds";
import { LineDialog } from "~/audit/LineDialog";
import { useActorName } from "~/audit/useActorName";
import { useDeeds } from "~/audit/useDeeds";
import { Badge } from "~/components/Badge";
import { Button, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { Field, Input, SelectField } from "~/components/Field";
import { PageHeader } from "~/components/PageHeader";
import { Pagination } from "~/components/Pagination";
import { EmptyState, Loaded } from "~/components/states";
import { dayBegins } from "~/lib/days";
import { useFormat } from "~/lib/format";
import { textOf } from "~/lib/search";
import { Needs } from "~/session/Needs";
import type { Column } from "~/table/columns";
import { DataTable } from "~/table/DataTable";
import { RowButton } from "~/table/RowLink";

/** Which lines. Days are the reader's, as in `2026-11-20`. */
interface Search {
  action?: string;
  actor?: string;
  resourceType?: string;
  resourceId?: string;
  requestId?: string;
  from?: string;
  to?: string;
  cursor?: string;
}

/** How many changes of a line the list shows. The rest is in its details. */
const SHOWN = 3;

const lines = ({ from, to, ...search }: Search) =>
  queryOptions({
    queryKey: ["audit", { from, to, ...search }],
    queryFn: () => {
      const query = { ...search, from: from && dayBegins(from)?.toISOString(), to: to && dayBegins(to, 1)?.toISOString(), limit: 50 };
      return answer(api.GET("/admin/audit", { params: { query } }));
    },
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute("/_shell/audit")({
  staticData: {
    place: { label: msg`Audit log`, icon: ScrollText, group: "access", at: 30, permission: "audit:read", key: "l", words: msg`history events activity log` },
  },
  validateSearch: (search: Record<string, unknown>): Search => textOf(search, "action", "actor", "resourceType", "resourceId", "requestId", "from", "to", "cursor"),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  return (
    <Needs permission="audit:read" title={t`Audit log`}>
      <Log />
    </Needs>
  );
}

function Log() {
  const { t } = useLingui();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = useQuery(lines(search));
  const [shown, setShown] = useState<AuditLine>();
  const columns = useColumns(setShown);
  const isFiltered = Boolean(search.action ?? search.actor ?? search.resourceId ?? search.requestId ?? search.from ?? search.to);
  // Another question begins on its first page.
  const ask = (change: Search) => void navigate({ search: (old) => ({ ...old, ...change, cursor: undefined }), replace: true });
  const clear = () => ask({ action: undefined, actor: undefined, resourceType: undefined, resourceId: undefined, requestId: undefined, from: undefined, to: undefined });
  return (
    <>
      <PageHeader title={t`Audit log`} description={<Trans>Every sign-in, and every change to people, credentials, applications, published content and the content model.</Trans>} />
      <Card flush>
        <Filters search={search} ask={ask} />
        <Narrowed search={search} lines={query.data?.items} ask={ask} />
        <Loaded query={query}>
          {({ items, nextCursor }) =>
            items.length === 0 ? (
              <div className="border-t border-line">
                <EmptyState
                  icon={<ScrollText />}
                  title={isFiltered ? <Trans>Nothing matches</Trans> : <Trans>Nothing yet</Trans>}
                  action={
                    isFiltered && (
                      <Button onClick={clear}>
                        <Trans>Clear filters</Trans>
                      </Button>
                    )
                  }
                >
                  {isFiltered ? <Trans>Nothing matches these filters.</Trans> : <Trans>What people do from now on is listed here.</Trans>}
                </EmptyState>
              </div>
            ) : (
              <>
                <DataTable label={t`Audit log`} columns={columns} rows={items} rowKey={({ id }) => id} stale={query.isPlaceholderData} />
                <Pagination shown={items.length} next={nextCursor} cursor={search.cursor} />
              </>
            )
          }
        </Loaded>
      </Card>
      {shown && <LineDialog line={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function Filters({ search, ask }: { search: Search; ask: (change: Search) => void }) {
  const { t, i18n } = useLingui();
  const { groups, wordsOf } = useDeeds();
  return (
    <div className="grid gap-3 px-5 py-4 sm:grid-cols-[1fr_auto_auto]">
      <SelectField label={t`What`} value={search.action ?? ""} onChange={(event) => ask({ action: event.target.value || undefined })}>
        <option value="">{t`Everything`}</option>
        {search.action && !wordsOf(search.action) && <option value={search.action}>{search.action}</option>}
        {groups.map(({ label, deeds }) => (
          <optgroup key={label.id} label={i18n._(label)}>
            {deeds.map(({ action, words }) => (
              <option key={action} value={action}>
                {i18n._(words)}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      <Field label={t`From day`}>
        {(control) => <Input {...control} type="date" value={search.from ?? ""} max={search.to} onChange={(event) => ask({ from: event.target.value || undefined })} />}
      </Field>
      <Field label={t`To day`}>
        {(control) => <Input {...control} type="date" value={search.to ?? ""} min={search.from} onChange={(event) => ask({ to: event.target.value || undefined })} />}
      </Field>
    </div>
  );
}

/** What the list was narrowed to by a link in it, each part with a way back. */
function Narrowed({ search: { actor, resourceType, resourceId, requestId }, lines, ask }: { search: Search; lines: AuditLine[] | undefined; ask: (change: Search) => void }) {
  const { t } = useLingui();
  const name = useActorName();
  if (!actor && !resourceId && !requestId) return null;
  const byActor = lines?.find((line) => line.actor.id === actor);
  const onResource = lines?.find(({ resource }) => resource.id === resourceId && resource.label);
  const who = byActor ? name(byActor) : actor;
  const what = (onResource && objectOf(onResource)) ?? [resourceType, resourceId].filter(Boolean).join(" ");
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-2 px-5 pb-4">
      {actor && (
        <Chip clear={t`Show everybody`} onClear={() => ask({ actor: undefined })}>
          <Trans>Only by {who}</Trans>
        </Chip>
      )}
      {resourceId && (
        <Chip clear={t`Show everything`} onClear={() => ask({ resourceType: undefined, resourceId: undefined })}>
          <Trans>Only on {what}</Trans>
        </Chip>
      )}
      {requestId && (
        <Chip clear={t`Show every request`} onClear={() => ask({ requestId: undefined })}>
          <Trans>Only one request</Trans>
        </Chip>
      )}
    </div>
  );
}

function Chip({ clear, onClear, children }: { clear: string; onClear: () => void; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <Badge tone="accent">{children}</Badge>
      <IconButton size="sm" label={clear} icon={<X />} onClick={onClear} />
    </div>
  );
}

function useColumns(onShow: (line: AuditLine) => void): Column<AuditLine>[] {
  const { t, i18n } = useLingui();
  const { dateTime } = useFormat();
  const actor = useActorName();
  const { lineWords } = useDeeds();
  return [
    { id: "when", header: t`When`, width: { least: 12.5 }, className: "sm:text-muted", cell: ({ at }) => dateTime(at) },
    {
      id: "who",
      header: t`Who`,
      width: { least: 8, share: 1 },
      cell: (line) =>
        line.actor.id ? (
          <Link to="/audit" search={(old) => ({ ...old, actor: line.actor.id ?? undefined, cursor: undefined })} className="relative z-10 rounded-sm wrap-anywhere hover:underline">
            {actor(line)}
          </Link>
        ) : (
          <span className="text-muted">{actor(line)}</span>
        ),
    },
    {
      id: "what",
      header: t`What`,
      primary: true,
      width: { least: 16, share: 3 },
      className: "max-sm:order-first",
      cell: (line) => {
        const words = lineWords(line);
        const object = objectOf(line);
        const outcome = outcomeOf(line);
        return (
          <div className="grid gap-0.5 wrap-anywhere">
            <span>
              {outcome === "allowed" && <CircleCheck aria-hidden className="me-1 inline size-4 align-[-0.15em] text-good" />}
              {outcome === "denied" && <CircleX aria-hidden className="me-1 inline size-4 align-[-0.15em] text-bad" />}
              <RowButton onClick={() => onShow(line)}>
                {words ? i18n._(words) : <code className="font-mono text-sm">{line.action}</code>}
                {object && (
                  <>
                    {": "}
                    <bdi className="font-semibold">{object}</bdi>
                  </>
                )}
              </RowButton>
            </span>
            {line.changes.length > 0 && (
              <div className="text-sm">
                <Changes changes={line.changes} most={SHOWN} />
              </div>
            )}
          </div>
        );
      },
    },
    { id: "from", header: t`From`, width: { least: 8.5 }, phone: "hidden", className: "sm:text-muted", cell: ({ address }) => (address ? <bdi>{address}</bdi> : "–") },
  ];
}
