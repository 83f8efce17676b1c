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
import { Table, type Column } from "~/components/Table";
import { toast } from "~/components/toast";
import { hasMail, mode } from "~/door/queries";
import { useFormat } from "~/lib/format";
import { domains } from "~/people/queries";
import { OwnWaysIn } from "~/session/gateway";
import { Needs } from "~/session/Needs";
import { ROLES } from "~/session/roles";

export const Route = createFileRoute("/_shell/domains")({
  staticData: {
    place: { label: msg`Sign-up domains`, icon: AtSign, group: "people", at: 30, permission: "auth:manage_connections", waysIn: true, words: msg`allowed e-mail domains registration` },
  },
  component: Screen,
});

/** What people become unless somebody chooses otherwise: they write, others publish. */
const USUAL_ROLE: RoleLevel = 20;

/** The highest role that people can give themselves: nobody becomes an administrator by signing up. */
const MOST: RoleLevel = 40;

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
  const change = useMutation({
    mutationFn: ({ domain, ...body }: { domain: string; _rev: string; enabled?: boolean; defaultRole?: RoleLevel }) =>
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
  const columns = useColumns({ pending, onChange: change.mutate, onRemove: setRemoved });
  const add = (
    <Button variant="primary" icon={<Plus />} onClick={() => setAdding(true)}>
      <Trans>Add domain</Trans>
    </Button>
  );
  const domain = removed?.domain;
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
              <Table label={t`Sign-up domains`} columns={columns} rows={items} rowKey={({ domain }) => domain} />
            )
          }
        </Loaded>
      </Card>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
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
  onChange: (change: { domain: string; _rev: string; enabled?: boolean; defaultRole?: RoleLevel }) => void;
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
      cell: ({ domain }) => (
        <bdi dir="ltr" className="font-medium wrap-anywhere">
          {domain}
        </bdi>
      ),
    },
    {
      id: "role",
      header: t`New people become`,
      cell: ({ domain, defaultRole, _rev }) => (
        <Select
          aria-label={t`Role for ${domain}`}
          className="max-w-44"
          value={defaultRole}
          disabled={pending === domain}
          onChange={(event) => onChange({ domain, _rev, defaultRole: Number(event.target.value) as RoleLevel })}
        >
          {ROLES.filter(({ level }) => level <= MOST).map(({ level, name }) => (
            <option key={level} value={level}>
              {i18n._(name)}
            </option>
          ))}
        </Select>
      ),
    },
    {
      id: "enabled",
      header: t`Open`,
      cell: ({ domain, enabled, _rev }) => (
        <Switch label={t`People of ${domain} can sign up`} checked={enabled} pending={pending === domain} onChange={(enabled) => onChange({ domain, _rev, enabled })} />
      ),
    },
    { id: "since", header: t`Since`, className: "sm:whitespace-nowrap", cell: ({ createdAt }) => date(createdAt) },
    {
      id: "actions",
      header: t`Actions`,
      headerHidden: true,
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
        <TextField label={<Trans>Domain</Trans>} hint={<Trans>What stands behind the @, as in “example.org”.</Trans>} dir="ltr" autoFocus autoComplete="off" inputMode="url" {...form.field("domain")} />
        <RoleField
          label={<Trans>New people become</Trans>}
          name="defaultRole"
          most={MOST}
          value={form.values.defaultRole}
          error={form.error("defaultRole")}
          onChange={(role) => form.set("defaultRole", role)}
        />
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
