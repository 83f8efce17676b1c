// Domains whose people may make themselves an account.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { AtSign, Plus, Trash2 } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { RoleLevel } from "~/api/types";
import type { AllowedDomain } from "~/api/types";
import { Button, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Select, TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { Notice } from "~/components/Notice";
import { PageHeader } from "~/components/PageHeader";
import { RoleField } from "~/components/RoleField";
import { EmptyState, Loaded } from "~/components/states";
import { Switch } from "~/components/Switch";
import { toast } from "~/components/toast";
import { hasMail, mode } from "~/door/queries";
import { useFormat } from "~/lib/format";
import { domains } from "~/people/queries";
import { OwnWaysIn } from "~/session/gateway";
import { Needs } from "~/session/Needs";
import { ROLES } from "~/session/roles";
import type { Column } from "~/table/columns";
import { DataTable } from "~/table/DataTable";

export const Route = createFileRoute("/_shell/domains")({
  staticData: {
    place: { label: msg`Sign-up domains`, icon: AtSign, group: "people", at: 30, permission: "auth:manage_connections", waysIn: true, words: msg`allowed e-mail domains registration` },
  },
  component: Screen,
});

/** What people become unless somebody chooses otherwise: they write, others publish. */
const USUAL_ROLE: RoleLevel = 20;

/** The role that manages everything: to give it to whoever signs up is allowed, and asked about. */
const ADMIN: RoleLevel = 50;

interface Change {
  domain: string;
  _rev: string;
  enabled?: boolean;
  defaultRole?: RoleLevel;
}

function Screen() {
  const { t } = useLingui();
  return (
    <Needs permission="auth:manage_connections" title={t`Sign-up domains`}>
      <OwnWaysIn title={t`Sign-up domains`}>
        <Domains />
      </OwnWaysIn>
    </Needs>
  );
}

function Domains() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const query = useQuery(domains);
  const ways = useQuery(mode).data;
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<AllowedDomain>();
  const [raised, setRaised] = useState<Change>();
  const change = useMutation({
    mutationFn: ({ domain, ...body }: Change) =>
      answer(api.PUT("/admin/allowed-domains/{domain}", { params: { path: { domain } }, body })),
    onSuccess: async (_, { domain, enabled }) => {
      await Promise.all([queries.invalidateQueries(domains), queries.invalidateQueries(mode)]);
      if (enabled === undefined) toast.good(<Trans>The role for {domain} is changed.</Trans>);
      else toast.good(enabled ? <Trans>People of {domain} can sign up.</Trans> : <Trans>People of {domain} can no longer sign up.</Trans>);
    },
    onError: (error) => {
      toast.bad(error);
      // Somebody else may have been faster.
      void queries.invalidateQueries(domains);
    },
  });
  const pending = change.isPending ? change.variables.domain : undefined;
  const columns = useColumns({ pending, onChange: (asked) => (asked.defaultRole === ADMIN ? setRaised(asked) : change.mutate(asked)), onRemove: setRemoved });
  const add = (
    <Button variant="primary" icon={<Plus />} onClick={() => setAdding(true)}>
      <Trans>Add domain</Trans>
    </Button>
  );
  const domain = (removed ?? raised)?.domain;
  return (
    <>
      <PageHeader
        title={t`Sign-up domains`}
        description={<Trans>Whoever can read mail at one of these domains can make themselves an account.</Trans>}
        actions={add}
      />
      {ways && !hasMail(ways) && (query.data?.items.length ?? 0) > 0 && (
        <div className="mb-6">
          <Notice tone="warn" title={<Trans>This server sends no mail</Trans>}>
            <Trans>Signing up needs a link by mail. Until mail is configured, invite people or let them in through a sign-in provider.</Trans>
          </Notice>
        </div>
      )}
      <Card flush>
        <Loaded query={query}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState icon={<AtSign />} title={<Trans>Nobody can sign up</Trans>} action={add}>
                <Trans>Only people whom you invite get an account. Add a domain, such as your company’s, to let its people in by themselves.</Trans>
              </EmptyState>
            ) : (
              <DataTable label={t`Sign-up domains`} columns={columns} rows={items} rowKey={({ domain }) => domain} />
            )
          }
        </Loaded>
      </Card>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {raised && (
        <ConfirmDialog
          open
          onOpenChange={() => setRaised(undefined)}
          danger
          title={<Trans>Make everybody from {domain} an administrator?</Trans>}
          description={<Trans>Whoever can read mail there can then sign up and manage everything, people and their access included.</Trans>}
          confirm={<Trans>Make them administrators</Trans>}
          onConfirm={() => change.mutateAsync(raised)}
        />
      )}
      {removed && (
        <ConfirmDialog
          open
          onOpenChange={() => setRemoved(undefined)}
          danger
          title={<Trans>Remove {domain}?</Trans>}
          description={<Trans>Its people can no longer sign up. Accounts that exist stay.</Trans>}
          confirm={<Trans>Remove domain</Trans>}
          onConfirm={async () => {
            await answer(api.DELETE("/admin/allowed-domains/{domain}", { params: { path: { domain: removed.domain } } }));
            await Promise.all([queries.invalidateQueries(domains), queries.invalidateQueries(mode)]);
            toast.good(<Trans>The domain is removed.</Trans>);
          }}
        />
      )}
    </>
  );
}

interface ColumnOptions {
  /** The domain that is being changed. */
  pending: string | undefined;
  onChange: (change: Change) => void;
  onRemove: (domain: AllowedDomain) => void;
}

function useColumns({ pending, onChange, onRemove }: ColumnOptions): Column<AllowedDomain>[] {
  const { t, i18n } = useLingui();
  const { date } = useFormat();
  return [
    {
      id: "domain",
      header: t`Domain`,
      primary: true,
      width: { least: 10, share: 2 },
      cell: ({ domain }) => (
        <bdi dir="ltr" className="font-medium wrap-anywhere">
          {domain}
        </bdi>
      ),
    },
    {
      id: "role",
      header: t`New people become`,
      width: { least: 12, share: 1 },
      phone: "labelled",
      cell: ({ domain, defaultRole, _rev }) => (
        <Select
          aria-label={t`Role for ${domain}`}
          className="max-w-44"
          value={defaultRole}
          disabled={pending === domain}
          onChange={(event) => onChange({ domain, _rev, defaultRole: Number(event.target.value) as RoleLevel })}
        >
          {ROLES.map(({ level, name }) => (
            <option key={level} value={level}>
              {i18n._(name)}
            </option>
          ))}
        </Select>
      ),
    },
    {
      id: "enabled",
      header: t({ context: "Whether people may sign up", message: "Open" }),
      width: { least: 5 },
      phone: "labelled",
      cell: ({ domain, enabled, _rev }) => (
        <Switch label={t`People of ${domain} can sign up`} checked={enabled} pending={pending === domain} onChange={(enabled) => onChange({ domain, _rev, enabled })} />
      ),
    },
    { id: "since", header: t`Since`, width: { least: 10 }, phone: "labelled", cell: ({ createdAt }) => date(createdAt) },
    {
      id: "actions",
      header: t`Actions`,
      headerHidden: true,
      width: { least: 4.5 },
      align: "end",
      cell: (domain) => {
        const name = domain.domain;
        return <IconButton label={t`Remove ${name}`} icon={<Trash2 />} danger onClick={() => onRemove(domain)} />;
      },
    },
  ];
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm({
    values: { domain: "", defaultRole: USUAL_ROLE },
    submit: async ({ domain, defaultRole }) => {
      await answer(api.POST("/admin/allowed-domains", { body: { domain: domain.trim(), defaultRole } }));
      await Promise.all([queries.invalidateQueries(domains), queries.invalidateQueries(mode)]);
      toast.good(<Trans>The domain is added.</Trans>);
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} locked={form.isSending} title={<Trans>Add a domain</Trans>} description={<Trans>Only a domain where you know who gets an address.</Trans>}>
      <Form form={form}>
        <TextField label={<Trans>Domain</Trans>} hint={<Trans>The part after the @, as in “example.org”.</Trans>} dir="ltr" autoFocus autoComplete="off" inputMode="url" {...form.field("domain")} />
        <RoleField
          label={<Trans>New people become</Trans>}
          name="defaultRole"
          value={form.values.defaultRole}
          error={form.error("defaultRole")}
          onChange={(role) => form.set("defaultRole", role)}
        />
        {form.values.defaultRole === ADMIN && (
          <Notice tone="warn">
            <Trans>Whoever can read mail there can then sign up and manage everything, people and their access included.</Trans>
          </Notice>
        )}
        <DialogActions>
          <Button onClick={onClose} disabled={form.isSending}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" pending={form.isSending}>
            <Trans>Add domain</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
