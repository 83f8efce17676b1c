// One person: who they are, what they may do, and how they get in.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { ArrowLeft, ScrollText } from "lucide-react";

import { answer, api } from "~/api/client";
import { isCode } from "~/api/errors";
import type { UserDetails } from "~/api/types";
import { Avatar } from "~/components/Avatar";
import { Button, ButtonLink } from "~/components/Button";
import { Card, Fact, Facts } from "~/components/Card";
import { EmailBadge } from "~/components/EmailBadge";
import { TextField } from "~/components/Field";
import { Form, useForm } from "~/components/form";
import { Notice } from "~/components/Notice";
import { PageHeader } from "~/components/PageHeader";
import { RoleField } from "~/components/RoleField";
import { ErrorState, SkeletonRows } from "~/components/states";
import { toast } from "~/components/toast";
import { useFormat } from "~/lib/format";
import { Held } from "~/people/Held";
import { user } from "~/people/queries";
import { Standing } from "~/people/Standing";
import { Needs } from "~/session/Needs";
import { roleName } from "~/session/roles";
import { useCan, useMe } from "~/session/session";
import { NotFound } from "~/shell/NotFound";

export const Route = createFileRoute("/_shell/users/$id")({ component: Screen });

function Screen() {
  const { t } = useLingui();
  const { id } = Route.useParams();
  return (
    <Needs permission="users:read" title={t`User`}>
      <Person key={id} id={id} />
    </Needs>
  );
}

function Person({ id }: { id: string }) {
  const { t } = useLingui();
  const query = useQuery(user(id));
  if (query.data) return <Details person={query.data.item} />;
  if (isCode(query.error, "NOT_FOUND", "VALIDATION_ERROR")) return <NotFound />;
  return (
    <>
      <PageHeader title={t`User`} back={<Back />} />
      <Card flush>{query.isPending ? <SkeletonRows rows={3} /> : <ErrorState error={query.error} onRetry={() => void query.refetch()} />}</Card>
    </>
  );
}

function Back() {
  return (
    <Link to="/users">
      <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
      <Trans>Users</Trans>
    </Link>
  );
}

function Details({ person }: { person: UserDetails }) {
  const { i18n } = useLingui();
  const can = useCan();
  const { date, dateTime, relative } = useFormat();
  const { id, name, email, avatarUrl, role, disabled, emailVerified, createdAt, lastLogin } = person;
  return (
    <>
      <PageHeader
        title={name ?? email}
        back={<Back />}
        actions={
          can("audit:read") && (
            <ButtonLink to="/audit" search={{ actor: id }} icon={<ScrollText aria-hidden />}>
              <Trans>Show activity</Trans>
            </ButtonLink>
          )
        }
      />
      <div className="grid gap-6">
        {disabled && (
          <Notice tone="warn" title={<Trans>This account is suspended</Trans>}>
            <Trans>Nobody can sign in with it. Its tokens, applications and invitations do not work until it is reactivated.</Trans>
          </Notice>
        )}
        <Card>
          <div className="flex flex-wrap items-center gap-5 pt-1.5">
            <Avatar name={name ?? email} url={avatarUrl} className="size-16 text-xl" />
            <div className="min-w-0 grow basis-64">
              <Facts>
                <Fact name={<Trans>E-mail</Trans>}>
                  <span className="flex flex-wrap items-center gap-2">
                    <bdi className="break-all">{email}</bdi>
                    <EmailBadge verified={emailVerified} />
                  </span>
                </Fact>
                <Fact name={<Trans>Role</Trans>}>{i18n._(roleName(role))}</Fact>
                <Fact name={<Trans>Last sign-in</Trans>}>{lastLogin ? <span title={dateTime(lastLogin)}>{relative(lastLogin)}</span> : <Trans>Never</Trans>}</Fact>
                <Fact name={<Trans>Account since</Trans>}>{date(createdAt)}</Fact>
              </Facts>
            </div>
          </div>
        </Card>
        {can("users:manage") && <Edit person={person} />}
        {can("users:manage") && <Held id={id} isSuspended={disabled} />}
        {can("users:manage") && <Standing person={person} />}
      </div>
    </>
  );
}

function Edit({ person }: { person: UserDetails }) {
  const queries = useQueryClient();
  const { id: own } = useMe();
  const isOwn = person.id === own;
  const form = useForm({
    values: { name: person.name ?? "", email: person.email, role: person.role },
    submit: async ({ name, email, role }) => {
      const body = {
        ...(name.trim() === (person.name ?? "") ? {} : { name: name.trim() || null }),
        ...(email.trim() === person.email ? {} : { email: email.trim() }),
        ...(role === person.role ? {} : { role }),
        _rev: person._rev,
      };
      const change = answer(api.PUT("/admin/users/{id}", { params: { path: { id: person.id } }, body }));
      // Somebody else may have been faster.
      change.catch(() => queries.invalidateQueries(user(person.id)));
      queries.setQueryData(user(person.id).queryKey, await change);
      void queries.invalidateQueries({ queryKey: ["users", "list"] });
      if (isOwn) void queries.invalidateQueries({ queryKey: ["me"] });
      toast.good(<Trans>Saved.</Trans>);
    },
  });
  return (
    <Form form={form} guarded>
      <Card
        title={<Trans>Details</Trans>}
        footer={
          <Button type="submit" variant="primary" pending={form.isSending} disabled={!form.isDirty}>
            <Trans>Save changes</Trans>
          </Button>
        }
      >
        <div className="grid gap-5">
          <TextField label={<Trans>Name</Trans>} optional maxLength={100} autoComplete="off" {...form.field("name")} />
          <TextField
            label={<Trans>E-mail address</Trans>}
            hint={form.values.email.trim() !== person.email && <Trans>The new address counts as not confirmed.</Trans>}
            type="email"
            dir="ltr"
            autoComplete="off"
            {...form.field("email")}
          />
          <RoleField
            name="role"
            value={form.values.role}
            error={form.errors.role}
            disabled={isOwn}
            hint={isOwn ? <Trans>You cannot change your own role. Another administrator can.</Trans> : undefined}
            onChange={(role) => form.set("role", role)}
          />
          {form.values.role < person.role && (
            <Notice tone="warn">
              <Trans>A lower role takes rights away at once, also from programs that act for this person.</Trans>
            </Notice>
          )}
        </div>
      </Card>
    </Form>
  );
}
