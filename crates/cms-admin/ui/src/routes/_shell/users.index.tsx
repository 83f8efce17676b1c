// Everybody who has an account.

import { msg } from "@lingui/core/macro";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { UserPlus, Users } from "lucide-react";
import { useState } from "react";

import type { RoleLevel } from "~/api/types";
import type { User } from "~/api/types";
import { Avatar } from "~/components/Avatar";
import { Badge } from "~/components/Badge";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { Select } from "~/components/Field";
import { PageHeader } from "~/components/PageHeader";
import { Pagination } from "~/components/Pagination";
import { SearchField } from "~/components/SearchField";
import { EmptyState, Loaded } from "~/components/states";
import { useProviderName } from "~/door/queries";
import { useFormat } from "~/lib/format";
import { textOf } from "~/lib/search";
import { InviteDialog } from "~/people/InviteDialog";
import { users, type UserSearch } from "~/people/queries";
import { useIsBehindGateway } from "~/session/gateway";
import { Needs } from "~/session/Needs";
import { ROLES, roleName } from "~/session/roles";
import { useCan, useMe } from "~/session/session";
import type { Column } from "~/table/columns";
import { DataTable } from "~/table/DataTable";
import { RowLink } from "~/table/RowLink";
import { State } from "~/table/State";

export const Route = createFileRoute("/_shell/users/")({
  staticData: {
    place: { label: msg`Users`, icon: Users, group: "people", at: 10, permission: "users:read", key: "u", words: msg`people members roles accounts` },
  },
  validateSearch: (search: Record<string, unknown>): UserSearch => {
    const role = Number(search.role);
    return {
      ...textOf(search, "search", "cursor"),
      ...(ROLES.some(({ level }) => level === role) ? { role: role as RoleLevel } : {}),
    };
  },
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  return (
    <Needs permission="users:read" title={t`Users`}>
      <UserList />
    </Needs>
  );
}

function UserList() {
  const { t, i18n } = useLingui();
  const can = useCan();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = useQuery(users(search));
  const isBehindGateway = useIsBehindGateway();
  const columns = useColumns().filter(({ id }) => !(isBehindGateway && id === "ways"));
  const [isInviting, setInviting] = useState(false);
  const isFiltered = search.search !== undefined || search.role !== undefined;

  // Another question begins on its first page.
  const ask = (change: UserSearch) => void navigate({ search: (old) => ({ ...old, ...change, cursor: undefined }), replace: true });

  return (
    <>
      <PageHeader
        title={t`Users`}
        description={<Trans>Everybody who can sign in, and what they may do.</Trans>}
        actions={
          can("users:invite") && !isBehindGateway && (
            <Button variant="primary" icon={<UserPlus />} onClick={() => setInviting(true)}>
              <Trans>Invite</Trans>
            </Button>
          )
        }
      />
      <Card flush>
        <div className="flex flex-wrap gap-2.5 px-5 py-4">
          <SearchField label={t`Search by name or e-mail`} value={search.search} onChange={(text) => ask({ search: text })} />
          <Select
            aria-label={t`Role`}
            className="min-w-40 max-sm:grow"
            value={search.role ?? ""}
            onChange={(event) => ask({ role: event.target.value ? (Number(event.target.value) as RoleLevel) : undefined })}
          >
            <option value="">{t`All roles`}</option>
            {ROLES.toReversed().map(({ level, name }) => (
              <option key={level} value={level}>
                {i18n._(name)}
              </option>
            ))}
          </Select>
        </div>
        <Loaded query={query}>
          {({ items, nextCursor }) =>
            items.length === 0 ? (
              <div className="border-t border-line">
                <EmptyState
                  icon={<Users />}
                  title={isFiltered ? <Trans>Nobody matches</Trans> : <Trans>Nobody here</Trans>}
                  action={
                    isFiltered && (
                      <Button onClick={() => ask({ search: undefined, role: undefined })}>
                        <Trans>Clear filters</Trans>
                      </Button>
                    )
                  }
                >
                  {isFiltered && <Trans>No account with this role has such a name or address.</Trans>}
                </EmptyState>
              </div>
            ) : (
              <>
                <DataTable label={t`Users`} columns={columns} rows={items} rowKey={({ id }) => id} stale={query.isPlaceholderData} />
                <Pagination shown={items.length} next={nextCursor} cursor={search.cursor} />
              </>
            )
          }
        </Loaded>
      </Card>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function useColumns(): Column<User>[] {
  const { t, i18n } = useLingui();
  const { list, relative, dateTime } = useFormat();
  const { id: own } = useMe();
  const label = useProviderName();
  return [
    {
      id: "name",
      header: t`Name`,
      primary: true,
      width: { least: 14, share: 3 },
      cell: ({ id, name, email, avatarUrl }) => (
        <div className="flex items-center gap-3">
          <Avatar name={name ?? email} url={avatarUrl} />
          <div className="grid min-w-0">
            <span className="flex flex-wrap items-center gap-2">
              <RowLink to="/users/$id" params={{ id }} className="break-words">
                {name ?? email}
              </RowLink>
              {id === own && (
                <Badge>
                  <Trans>You</Trans>
                </Badge>
              )}
            </span>
            {name && (
              <span dir="ltr" className="text-start text-sm font-normal wrap-anywhere text-muted">
                {email}
              </span>
            )}
          </div>
        </div>
      ),
    },
    { id: "role", header: t`Role`, width: { least: 7 }, className: "sm:whitespace-nowrap", cell: ({ role }) => i18n._(roleName(role)) },
    {
      id: "state",
      header: t`State`,
      width: { least: 8, share: 1 },
      cell: ({ disabled, emailVerified }) =>
        disabled ? (
          <State tone="bad">
            <Trans>Suspended</Trans>
          </State>
        ) : emailVerified ? (
          <State tone="good">
            <Trans>Active</Trans>
          </State>
        ) : (
          <State>
            <Trans>E-mail not confirmed</Trans>
          </State>
        ),
    },
    {
      id: "login",
      header: t`Last sign-in`,
      width: { least: 8 },
      className: "sm:whitespace-nowrap",
      cell: ({ lastLogin }) => (lastLogin ? <span title={dateTime(lastLogin)}>{relative(lastLogin)}</span> : <Trans>Never</Trans>),
    },
    {
      id: "ways",
      header: t`Signs in with`,
      width: { least: 8, share: 1 },
      phone: "hidden",
      cell: ({ credentialCount, oauthProviders }) => (
        <span className="grid">
          {credentialCount > 0 && (
            <span>
              <Plural value={credentialCount} one="# passkey" other="# passkeys" />
            </span>
          )}
          {oauthProviders.length > 0 && <span>{list(oauthProviders.map(label))}</span>}
          {credentialCount + oauthProviders.length === 0 && <Trans>Links only</Trans>}
        </span>
      ),
    },
  ];
}
