// Applications that may ask people for access.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { AppWindow, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { OAuthClient } from "~/api/types";
import { ClientDialog } from "~/applications/ClientDialog";
import { Badge } from "~/components/Badge";
import { Button, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { PageHeader } from "~/components/PageHeader";
import { Pagination } from "~/components/Pagination";
import { ScopeList } from "~/components/ScopeChoice";
import { EmptyState, Loaded } from "~/components/states";
import { toast } from "~/components/toast";
import { useFormat } from "~/lib/format";
import { textOf } from "~/lib/search";
import { Needs } from "~/session/Needs";
import type { Column } from "~/table/columns";
import { DataTable } from "~/table/DataTable";

interface Search {
  cursor?: string;
}

const clients = (query: Search) =>
  queryOptions({
    queryKey: ["oauth-clients", query],
    queryFn: () => answer(api.GET("/admin/oauth-clients", { params: { query: { ...query, limit: 25 } } })),
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute("/_shell/oauth-clients")({
  staticData: {
    place: { label: msg`Applications`, icon: AppWindow, group: "access", at: 10, permission: "auth:manage_connections", words: msg`oauth clients integrations` },
  },
  validateSearch: (search: Record<string, unknown>): Search => textOf(search, "cursor"),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  return (
    <Needs permission="auth:manage_connections" title={t`Applications`}>
      <Clients />
    </Needs>
  );
}

function Clients() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const search = Route.useSearch();
  const query = useQuery(clients(search));
  const [isAdding, setAdding] = useState(false);
  const [changed, setChanged] = useState<OAuthClient>();
  const [removed, setRemoved] = useState<OAuthClient>();
  const columns = useColumns({ onChange: setChanged, onRemove: setRemoved });
  const add = (
    <Button variant="primary" icon={<Plus />} onClick={() => setAdding(true)}>
      <Trans>Add application</Trans>
    </Button>
  );
  const name = removed?.name;
  return (
    <>
      <PageHeader
        title={t`Applications`}
        description={<Trans>Programs that may ask people for access. Many register themselves; they get nothing until somebody allows it.</Trans>}
        actions={add}
      />
      <Card flush>
        <Loaded query={query}>
          {({ items, nextCursor }) =>
            items.length === 0 ? (
              <EmptyState icon={<AppWindow />} title={<Trans>No applications</Trans>} action={add}>
                <Trans>Agents and other applications register themselves when they first connect. Add one here when it cannot.</Trans>
              </EmptyState>
            ) : (
              <>
                <DataTable label={t`Applications`} columns={columns} rows={items} rowKey={({ id }) => id} stale={query.isPlaceholderData} />
                <Pagination shown={items.length} next={nextCursor} cursor={search.cursor} />
              </>
            )
          }
        </Loaded>
      </Card>
      {isAdding && <ClientDialog onClose={() => setAdding(false)} />}
      {changed && <ClientDialog key={changed.id} client={changed} onClose={() => setChanged(undefined)} />}
      {removed && (
        <ConfirmDialog
          open
          onOpenChange={() => setRemoved(undefined)}
          danger
          title={<Trans>Remove “{name}”?</Trans>}
          description={<Trans>It is refused at once, for everybody who allowed it.</Trans>}
          confirm={<Trans>Remove application</Trans>}
          onConfirm={async () => {
            await answer(api.DELETE("/admin/oauth-clients/{id}", { params: { path: { id: removed.id } } }));
            await queries.invalidateQueries({ queryKey: ["oauth-clients"] });
            toast.good(<Trans>The application is removed.</Trans>);
          }}
        />
      )}
    </>
  );
}

function useColumns({ onChange, onRemove }: { onChange: (client: OAuthClient) => void; onRemove: (client: OAuthClient) => void }): Column<OAuthClient>[] {
  const { t } = useLingui();
  const { date, relative } = useFormat();
  return [
    {
      id: "name",
      header: t`Name`,
      primary: true,
      width: { least: 11, share: 2 },
      cell: ({ id, name, registered }) => (
        <div className="grid justify-items-start">
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-medium wrap-anywhere">{name}</span>
            {registered && (
              <Badge>
                <Trans>Registered itself</Trans>
              </Badge>
            )}
          </span>
          <code dir="ltr" className="font-mono text-xs wrap-anywhere text-muted">
            {id}
          </code>
        </div>
      ),
    },
    {
      id: "redirects",
      header: t`Redirects to`,
      width: { least: 11, share: 2 },
      phone: "labelled",
      cell: ({ redirectUris }) => (
        <ul dir="ltr" className="grid text-start text-sm wrap-anywhere">
          {redirectUris.map((uri) => (
            <li key={uri}>{uri}</li>
          ))}
          {redirectUris.length === 0 && <li>–</li>}
        </ul>
      ),
    },
    { id: "scopes", header: t`May ask for`, width: { least: 10, share: 2 }, phone: "labelled", cell: ({ scopes }) => (scopes ? <ScopeList scopes={scopes} /> : <Trans>Anything</Trans>) },
    {
      id: "used",
      header: t`Last allowed`,
      width: { least: 7 },
      phone: "labelled",
      cell: ({ lastUsedAt, createdAt }) => (
        <span title={t`Added ${date(createdAt)}`}>{lastUsedAt ? relative(lastUsedAt) : <Trans>Never</Trans>}</span>
      ),
    },
    {
      id: "actions",
      header: t`Actions`,
      headerHidden: true,
      width: { least: 7 },
      align: "end",
      cell: (client) => {
        const name = client.name;
        return (
          <span className="flex gap-1 sm:justify-end">
            <IconButton label={t`Change ${name}`} icon={<Pencil />} onClick={() => onChange(client)} />
            <IconButton label={t`Remove ${name}`} icon={<Trash2 />} danger onClick={() => onRemove(client)} />
          </span>
        );
      },
    },
  ];
}
