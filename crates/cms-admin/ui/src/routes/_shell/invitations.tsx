// Invitations that nobody has accepted yet.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { MailPlus, RotateCw, Trash2, UserPlus } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { Invitation } from "~/api/types";
import { Button, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { PageHeader } from "~/components/PageHeader";
import { Pagination } from "~/components/Pagination";
import { EmptyState, Loaded } from "~/components/states";
import { toast } from "~/components/toast";
import { useFormat } from "~/lib/format";
import { InviteDialog, InviteLink, type Handed } from "~/people/InviteDialog";
import { PersonName } from "~/people/PersonName";
import { invitations } from "~/people/queries";
import { textOf } from "~/lib/search";
import { OwnWaysIn } from "~/session/gateway";
import { Needs } from "~/session/Needs";
import { roleName } from "~/session/roles";
import type { Column } from "~/table/columns";
import { DataTable } from "~/table/DataTable";
import { State } from "~/table/State";

interface Search {
  cursor?: string;
  /** Whether somebody is about to be invited. */
  new?: string;
}

export const Route = createFileRoute("/_shell/invitations")({
  staticData: {
    place: { label: msg`Invitations`, icon: MailPlus, group: "people", at: 20, permission: "users:invite", waysIn: true, key: "i", words: msg`invite new user` },
  },
  validateSearch: (search: Record<string, unknown>): Search => textOf(search, "cursor", "new"),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  return (
    <Needs permission="users:invite" title={t`Invitations`}>
      <OwnWaysIn title={t`Invitations`}>
        <Invitations />
      </OwnWaysIn>
    </Needs>
  );
}

function Invitations() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { new: inviting, ...page } = search;
  const query = useQuery(invitations(page));
  const setInviting = (isInviting: boolean) => void navigate({ search: { ...page, ...(isInviting ? { new: "1" } : {}) }, replace: !isInviting });
  const [revoked, setRevoked] = useState<Invitation>();
  const [handed, setHanded] = useState<Handed>();
  const resend = useMutation({
    mutationFn: ({ id }: Invitation) => answer(api.POST("/auth/invites/{id}/resend", { params: { path: { id } } })),
    onSuccess: async ({ inviteUrl }, { email }) => {
      await queries.invalidateQueries({ queryKey: ["invitations"] });
      if (inviteUrl) setHanded({ email, url: inviteUrl });
      else toast.good(<Trans>The invitation is on its way again.</Trans>);
    },
    onError: toast.bad,
  });
  const columns = useColumns({ onResend: (invitation) => resend.mutate(invitation), onRevoke: setRevoked });
  const invite = (
    <Button variant="primary" icon={<UserPlus />} onClick={() => setInviting(true)}>
      <Trans>Invite</Trans>
    </Button>
  );
  const email = revoked?.email;
  return (
    <>
      <PageHeader title={t`Invitations`} description={<Trans>People who were invited and have not joined yet.</Trans>} actions={invite} />
      <Card flush>
        <Loaded query={query}>
          {({ items, nextCursor }) =>
            items.length === 0 ? (
              <EmptyState icon={<MailPlus />} title={<Trans>No open invitations</Trans>} action={invite}>
                <Trans>Whoever you invite chooses a passkey of their own. No passwords, nothing to hand over but the invitation.</Trans>
              </EmptyState>
            ) : (
              <>
                <DataTable label={t`Invitations`} columns={columns} rows={items} rowKey={({ id }) => id} stale={query.isPlaceholderData} />
                <Pagination shown={items.length} next={nextCursor} cursor={search.cursor} />
              </>
            )
          }
        </Loaded>
      </Card>
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      {handed && <InviteLink handed={handed} onClose={() => setHanded(undefined)} />}
      {revoked && (
        <ConfirmDialog
          open
          onOpenChange={() => setRevoked(undefined)}
          danger
          title={<Trans>Revoke the invitation?</Trans>}
          description={
            <Trans>
              The link that <bdi>{email}</bdi> was given stops working.
            </Trans>
          }
          confirm={<Trans>Revoke invitation</Trans>}
          onConfirm={async () => {
            await answer(api.DELETE("/auth/invites/{id}", { params: { path: { id: revoked.id } } }));
            await queries.invalidateQueries({ queryKey: ["invitations"] });
            toast.good(<Trans>The invitation is revoked.</Trans>);
          }}
        />
      )}
    </>
  );
}

function useColumns({ onResend, onRevoke }: { onResend: (invitation: Invitation) => void; onRevoke: (invitation: Invitation) => void }): Column<Invitation>[] {
  const { t, i18n } = useLingui();
  const { date, relative, dateTime } = useFormat();
  return [
    {
      id: "email",
      header: t`E-mail`,
      primary: true,
      width: { least: 13, share: 2 },
      cell: ({ email }) => (
        <bdi dir="ltr" className="font-medium wrap-anywhere">
          {email}
        </bdi>
      ),
    },
    { id: "role", header: t`Role`, width: { least: 6 }, cell: ({ role }) => i18n._(roleName(role)) },
    { id: "by", header: t`Invited by`, phone: "hidden", cell: ({ invitedBy }) => (invitedBy ? <PersonName id={invitedBy} /> : "–") },
    { id: "sent", header: t`Sent`, width: { least: 9 }, phone: "hidden", cell: ({ createdAt }) => date(createdAt) },
    {
      id: "ends",
      header: t`Ends`,
      width: { least: 7 },
      phone: "labelled",
      cell: ({ expiresAt, expired }) => (
        <span title={dateTime(expiresAt)}>
          {!expired ? (
            relative(expiresAt)
          ) : (
            <State tone="warn">
              <Trans>Ended</Trans>
            </State>
          )}
        </span>
      ),
    },
    {
      id: "actions",
      header: t`Actions`,
      headerHidden: true,
      width: { least: 7 },
      align: "end",
      cell: (invitation) => {
        const email = invitation.email;
        return (
          <span className="flex gap-1 sm:justify-end">
            <IconButton label={t`Resend to ${email}`} icon={<RotateCw />} onClick={() => onResend(invitation)} />
            <IconButton label={t`Revoke the invitation of ${email}`} icon={<Trash2 />} danger onClick={() => onRevoke(invitation)} />
          </span>
        );
      },
    },
  ];
}
