// Who one is here: name, address, role.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { Avatar } from "~/components/Avatar";
import { Badge } from "~/components/Badge";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { TextField } from "~/components/Field";
import { Form, useForm } from "~/components/form";
import { Notice } from "~/components/Notice";
import { PageHeader } from "~/components/PageHeader";
import { toast } from "~/components/toast";
import { roleCan, roleName } from "~/session/roles";
import { me, useMe } from "~/session/session";

export const Route = createFileRoute("/_shell/account/")({ component: Profile });

function Profile() {
  const { t } = useLingui();
  return (
    <>
      <PageHeader title={t`Profile`} description={<Trans>How you appear to others on this site.</Trans>} />
      <div className="grid gap-6">
      <Name />
      <Email />
      </div>
    </>
  );
}

/** The most characters of a name. */
const NAME = 100;

function Name() {
  const { i18n } = useLingui();
  const queries = useQueryClient();
  const { name, email, avatarUrl, role } = useMe();
  const can = roleCan(role);
  const form = useForm({
    values: { name: name ?? "" },
    submit: async ({ name }) => {
      queries.setQueryData(me.queryKey, await answer(api.PUT("/auth/me", { body: { name: name.trim() || null } })));
      toast.good(<Trans>Your name is saved.</Trans>);
    },
  });
  return (
    <Form form={form} guarded>
      <Card
        title={<Trans>About you</Trans>}
        footer={
          <Button type="submit" variant="primary" pending={form.isSending} disabled={!form.isDirty}>
            <Trans>Save name</Trans>
          </Button>
        }
      >
        <div className="grid gap-5">
          <div className="flex items-center gap-4">
            <Avatar name={name ?? email} url={avatarUrl} className="size-14 text-lg" />
            <div className="grid min-w-0 justify-items-start gap-1">
              <Badge tone="accent">{i18n._(roleName(role))}</Badge>
              {can && <p className="text-sm text-muted">{i18n._(can)}</p>}
            </div>
          </div>
          <TextField
            label={<Trans>Name</Trans>}
            hint={<Trans>Shown beside your entries and in messages to you.</Trans>}
            optional
            maxLength={NAME}
            autoComplete="name"
            {...form.field("name")}
          />
        </div>
      </Card>
    </Form>
  );
}

function Email() {
  const { email, emailVerified } = useMe();
  const [pending, setPending] = useState<string>();
  const form = useForm({
    values: { email: "" },
    submit: async ({ email }) => {
      await answer(api.POST("/auth/me/email", { body: { email: email.trim() } }));
      setPending(email.trim());
    },
  });
  return (
    <Form form={form} guarded={!pending}>
      <Card
        title={<Trans>E-mail address</Trans>}
        description={<Trans>For sign-in links and messages from this site.</Trans>}
        footer={
          !pending && (
            <Button type="submit" pending={form.isSending} disabled={!form.isDirty}>
              <Trans>Send confirmation</Trans>
            </Button>
          )
        }
      >
        <div className="grid gap-5">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <span dir="ltr" className="min-w-0 font-medium break-all">
              {email}
            </span>
            {emailVerified ? (
              <Badge tone="good">
                <Trans>Confirmed</Trans>
              </Badge>
            ) : (
              <Badge tone="warn">
                <Trans>Not confirmed</Trans>
              </Badge>
            )}
          </div>
          {pending ? (
            <Notice
              title={<Trans>Waiting for confirmation</Trans>}
              action={
                <Button size="sm" onClick={() => setPending(undefined)}>
                  <Trans>Use another address</Trans>
                </Button>
              }
            >
              <Trans>
                We sent a link to <bdi>{pending}</bdi>. Your address changes when you open it; until then the present one stays.
              </Trans>
            </Notice>
          ) : (
            <TextField
              label={<Trans>New address</Trans>}
              hint={<Trans>We send a link there. Your address changes when you open it.</Trans>}
              type="email"
              dir="ltr"
              autoComplete="email"
              {...form.field("email")}
            />
          )}
        </div>
      </Card>
    </Form>
  );
}
