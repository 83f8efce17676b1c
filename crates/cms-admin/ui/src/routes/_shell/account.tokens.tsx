// One's access tokens: what programs use that act for one.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { KeyRound, KeySquare, Plus, Trash2 } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";

import { CreateToken } from "~/account/CreateToken";
import { tokens } from "~/account/queries";
import { answer, api } from "~/api/client";
import type { Token } from "~/api/types";
import { Button, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { PageHeader } from "~/components/PageHeader";
import { ScopeList } from "~/components/ScopeChoice";
import { EmptyState, Loaded } from "~/components/states";
import { toast } from "~/components/toast";
import { useFormat } from "~/lib/format";
import { textOf } from "~/lib/search";
import { useProveFirst } from "~/session/proof";
import type { Column } from "~/table/columns";
import { DataTable } from "~/table/DataTable";
import { State } from "~/table/State";

interface Search {
  /** Whether one is about to be made. */
  new?: string;
}

export const Route = createFileRoute("/_shell/account/tokens")({
  staticData: {
    place: { label: msg`Access tokens`, icon: KeyRound, group: "account", at: 30, key: "t", words: msg`api keys personal tokens` },
  },
  validateSearch: (search: Record<string, unknown>): Search => textOf(search, "new"),
  component: Tokens,
});

function Tokens() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const query = useQuery(tokens);
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  const columns = useColumns(setRevoked);
  const proveFirst = useProveFirst();
  const navigate = Route.useNavigate();
  const isAsked = Route.useSearch().new !== undefined;
  const begin = useEffectEvent(() => {
    void navigate({ search: {}, replace: true });
    void proveFirst().then(setCreating);
  });
  useEffect(() => {
    if (isAsked) begin();
  }, [isAsked]);
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => void proveFirst().then(setCreating)}>
      <Trans>Create token</Trans>
    </Button>
  );
  const name = revoked?.name;
  return (
    <>
      <PageHeader title={t`Access tokens`} description={<Trans>For programs that act for you: scripts, site builds, agents.</Trans>} actions={create} />
      <Card flush>
        <Loaded query={query}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState icon={<KeySquare />} title={<Trans>No access tokens</Trans>} action={create}>
                <Trans>A program sends a token instead of signing in. Applications that can ask you in the browser do not need one.</Trans>
              </EmptyState>
            ) : (
              <DataTable label={t`Access tokens`} columns={columns} rows={items} rowKey={({ id }) => id} />
            )
          }
        </Loaded>
      </Card>
      {isCreating && <CreateToken onClose={() => setCreating(false)} />}
      {revoked && (
        <ConfirmDialog
          open
          onOpenChange={() => setRevoked(undefined)}
          danger
          title={<Trans>Revoke “{name}”?</Trans>}
          description={<Trans>Programs that use it are refused at once. This cannot be undone.</Trans>}
          confirm={<Trans>Revoke token</Trans>}
          onConfirm={async () => {
            await answer(api.DELETE("/admin/api-tokens/{id}", { params: { path: { id: revoked.id } } }));
            await queries.invalidateQueries(tokens);
            toast.good(<Trans>The token is revoked.</Trans>);
          }}
        />
      )}
    </>
  );
}

function useColumns(onRevoke: (token: Token) => void): Column<Token>[] {
  const { t } = useLingui();
  const { date, relative } = useFormat();
  return [
    {
      id: "name",
      header: t`Name`,
      primary: true,
      width: { least: 12, share: 2 },
      cell: ({ name, prefix, createdAt }) => (
        <div className="grid">
          <span className="font-medium wrap-anywhere">{name}</span>
          <span className="text-xs text-muted">
            <code dir="ltr" className="font-mono">
              {prefix}…
            </code>{" "}
            · <Trans>made {date(createdAt)}</Trans>
          </span>
        </div>
      ),
    },
    { id: "scopes", header: t`May`, width: { least: 10, share: 2 }, phone: "labelled", cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
    { id: "used", header: t`Last used`, width: { least: 7 }, phone: "labelled", cell: ({ lastUsedAt }) => (lastUsedAt ? relative(lastUsedAt) : <Trans>Never</Trans>) },
    {
      id: "ends",
      header: t`Ends`,
      width: { least: 9 },
      phone: "labelled",
      cell: ({ expiresAt }) => {
        if (!expiresAt) return <Trans>Never</Trans>;
        if (new Date(expiresAt) <= new Date())
          return (
            <State tone="bad">
              <Trans>Ended</Trans>
            </State>
          );
        return date(expiresAt);
      },
    },
    {
      id: "actions",
      header: t`Actions`,
      headerHidden: true,
      width: { least: 4.5 },
      align: "end",
      cell: (token) => {
        const name = token.name;
        return <IconButton label={t`Revoke ${name}`} icon={<Trash2 />} danger onClick={() => onRevoke(token)} />;
      },
    },
  ];
}
