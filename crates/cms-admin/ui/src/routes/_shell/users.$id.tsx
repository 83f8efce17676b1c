// One person: who they are, what they may do, and how they get in.

import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { ArrowLeft, Ban, KeyRound, LifeBuoy, Link2, LogOut, ScrollText, UserCheck } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { UserDetails } from "~/api/types";
import { isCode } from "~/api/errors";
import { SessionRow } from "~/account/SessionRow";
import { Avatar } from "~/components/Avatar";
import { Button, ButtonLink } from "~/components/Button";
import { Card, Fact, Facts } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { CopyField } from "~/components/CopyField";
import { Dialog, DialogActions } from "~/components/Dialog";
import { EmailBadge } from "~/components/EmailBadge";
import { TextField } from "~/components/Field";
import { Form, useForm } from "~/components/form";
import { Notice } from "~/components/Notice";
import { PageHeader } from "~/components/PageHeader";
import { RoleField } from "~/components/RoleField";
import { Row, Rows } from "~/components/Rows";
import { EmptyState, ErrorState, Loaded, SkeletonRows } from "~/components/states";
import { toast } from "~/components/toast";
import { useProviderName } from "~/door/queries";
import { useFormat } from "~/lib/format";
import { user, userSessions } from "~/people/queries";
import { useIsBehindGateway } from "~/session/gateway";
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
  const isBehindGateway = useIsBehindGateway();
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
          <Notice tone="warn" title={<Trans>This account is disabled</Trans>}>
            <Trans>Nobody can sign in with it, and its tokens do not work.</Trans>
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
        {can("users:manage") && <Edit key={person.updatedAt} person={person} />}
        {!isBehindGateway && <WaysIn person={person} />}
        {!isBehindGateway && <UserSessions id={id} />}
        {can("users:manage") && <Access person={person} />}
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
      };
      queries.setQueryData(user(person.id).queryKey, await answer(api.PUT("/admin/users/{id}", { params: { path: { id: person.id } }, body })));
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

function WaysIn({ person }: { person: UserDetails }) {
  const { t } = useLingui();
  const { date, relative } = useFormat();
  const { credentials, oauthAccounts } = person;
  const label = useProviderName();
  return (
    <Card flush title={<Trans>Ways in</Trans>} description={<Trans>What this person can sign in with. They manage it themselves.</Trans>}>
      {credentials.length + oauthAccounts.length === 0 ? (
        <div className="border-t border-line">
          <EmptyState icon={<KeyRound />} title={<Trans>No passkey and no provider</Trans>}>
            <Trans>Only a sign-in link gets this person in. You can send one below.</Trans>
          </EmptyState>
        </div>
      ) : (
        <Rows label={t`Ways in`}>
          {credentials.map((passkey) => (
            <Row key={passkey.id} icon={<KeyRound />} title={passkey.name}>
              <Trans>Passkey</Trans> · <Trans>added {date(passkey.createdAt)}</Trans> ·{" "}
              {passkey.lastUsedAt ? <Trans>last used {relative(passkey.lastUsedAt)}</Trans> : <Trans>not used yet</Trans>}
            </Row>
          ))}
          {oauthAccounts.map(({ provider, email, name, createdAt, lastUsedAt }) => (
            <Row key={`${provider} ${createdAt}`} icon={<Link2 />} title={label(provider)}>
              <bdi>{email ?? name ?? <Trans>Sign-in provider</Trans>}</bdi> · <Trans>linked {date(createdAt)}</Trans> ·{" "}
              {lastUsedAt ? <Trans>last used {relative(lastUsedAt)}</Trans> : <Trans>not used yet</Trans>}
            </Row>
          ))}
        </Rows>
      )}
    </Card>
  );
}

function UserSessions({ id }: { id: string }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const can = useCan();
  const query = useQuery(userSessions(id));
  const [isEnding, setEnding] = useState(false);
  const count = query.data?.items.length ?? 0;
  return (
    <Card
      flush
      title={<Trans>Sessions</Trans>}
      description={<Trans>Where this person is signed in.</Trans>}
      actions={
        can("users:manage") &&
        count > 0 && (
          <Button icon={<LogOut className="rtl:-scale-x-100" />} onClick={() => setEnding(true)}>
            <Trans>Sign out everywhere</Trans>
          </Button>
        )
      }
    >
      <Loaded query={query} skeleton={<SkeletonRows rows={1} />}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="border-t border-line px-5 py-4 text-muted">
              <Trans>Not signed in anywhere.</Trans>
            </p>
          ) : (
            <Rows label={t`Sessions`}>
              {items.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </Rows>
          )
        }
      </Loaded>
      <ConfirmDialog
        open={isEnding}
        onOpenChange={setEnding}
        title={<Trans>Sign this person out everywhere?</Trans>}
        description={<Trans>They have to sign in again. Work that they have not saved may be lost.</Trans>}
        confirm={<Trans>Sign out</Trans>}
        onConfirm={async () => {
          await answer(api.DELETE("/admin/users/{id}/sessions", { params: { path: { id } } }));
          await queries.invalidateQueries(userSessions(id));
          toast.good(<Trans>Signed out everywhere.</Trans>);
        }}
      />
    </Card>
  );
}

function Access({ person }: { person: UserDetails }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { id: own } = useMe();
  const { id, disabled } = person;
  const isBehindGateway = useIsBehindGateway();
  const [isDisabling, setDisabling] = useState(false);
  const [link, setLink] = useState<string>();
  const renew = () => queries.invalidateQueries({ queryKey: ["users"] });
  const enable = useMutation({
    mutationFn: () => answer(api.POST("/admin/users/{id}/enable", { params: { path: { id } } })),
    onSuccess: async () => {
      await renew();
      toast.good(<Trans>The account is enabled.</Trans>);
    },
    onError: toast.bad,
  });
  const recover = useMutation({
    mutationFn: () => answer(api.POST("/admin/users/{id}/send-recovery", { params: { path: { id } } })),
    onSuccess: ({ recoveryUrl }) => {
      if (recoveryUrl) setLink(recoveryUrl);
      else toast.good(<Trans>The sign-in link is on its way.</Trans>);
    },
    onError: toast.bad,
  });
  const name = person.name ?? person.email;
  return (
    <Card flush title={<Trans>Access</Trans>}>
      <Rows label={t`Access`}>
        {!isBehindGateway && (
          <Row
            icon={<LifeBuoy />}
            title={<Trans>Recovery</Trans>}
            actions={
              <Button disabled={disabled} pending={recover.isPending} onClick={() => recover.mutate()}>
                <Trans>Send sign-in link</Trans>
              </Button>
            }
          >
            <Trans>For somebody who lost their passkeys: a link that signs them in once, within fifteen minutes.</Trans>
          </Row>
        )}
        {disabled ? (
          <Row
            icon={<UserCheck />}
            title={<Trans>Enable the account</Trans>}
            actions={
              <Button pending={enable.isPending} onClick={() => enable.mutate()}>
                <Trans>Enable</Trans>
              </Button>
            }
          >
            <Trans>The person can sign in again. Old sessions and links stay gone.</Trans>
          </Row>
        ) : (
          <Row
            icon={<Ban />}
            title={<Trans>Disable the account</Trans>}
            actions={
              <Button disabled={id === own} onClick={() => setDisabling(true)}>
                <Trans>Disable</Trans>
              </Button>
            }
          >
            {id === own ? <Trans>You cannot disable yourself.</Trans> : <Trans>Ends every session and token at once. What the person wrote stays.</Trans>}
          </Row>
        )}
      </Rows>
      <ConfirmDialog
        open={isDisabling}
        onOpenChange={setDisabling}
        danger
        title={<Trans>Disable {name}?</Trans>}
        description={<Trans>They are signed out everywhere at once, and their tokens and connected applications stop working. What they wrote stays.</Trans>}
        confirm={<Trans>Disable account</Trans>}
        onConfirm={async () => {
          await answer(api.POST("/admin/users/{id}/disable", { params: { path: { id } } }));
          await renew();
          toast.good(<Trans>The account is disabled.</Trans>);
        }}
      />
      {link && (
        <Dialog open onOpenChange={() => setLink(undefined)} role="alertdialog" size="md" title={<Trans>Hand over the sign-in link</Trans>}>
          <div className="grid gap-5">
            <Notice>
              <Trans>No mail was sent. Give this link to {name} yourself, on a way that only they can read. Whoever opens it is signed in as them.</Trans>
            </Notice>
            <CopyField label={t`Sign-in link`} value={link} hint={t`Good for fifteen minutes, once.`} />
            <DialogActions>
              <Button variant="primary" onClick={() => setLink(undefined)}>
                <Trans>Done</Trans>
              </Button>
            </DialogActions>
          </div>
        </Dialog>
      )}
    </Card>
  );
}
