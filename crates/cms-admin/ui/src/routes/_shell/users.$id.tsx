// One person: who they are, what they may do, and how they get in.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { ArrowLeft, ScrollText } from "lucide-react";

import { isCode } from "~/api/errors";
import type { UserDetails } from "~/api/types";
import { Avatar } from "~/components/Avatar";
import { ButtonLink } from "~/components/Button";
import { Card, Fact, Facts } from "~/components/Card";
import { EmailBadge } from "~/components/EmailBadge";
import { Notice } from "~/components/Notice";
import { PageHeader } from "~/components/PageHeader";
import { ErrorState, SkeletonRows } from "~/components/states";
import { useFormat } from "~/lib/format";
import { Held } from "~/people/Held";
import { user } from "~/people/queries";
import { Standing } from "~/people/Standing";
import { UserForm } from "~/people/UserForm";
import { Needs } from "~/session/Needs";
import { roleName } from "~/session/roles";
import { useCan } from "~/session/session";
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
        {can("users:manage") && <UserForm person={person} />}
        {can("users:manage") && <Held id={id} isSuspended={disabled} />}
        {can("users:manage") && <Standing person={person} />}
      </div>
    </>
  );
}
