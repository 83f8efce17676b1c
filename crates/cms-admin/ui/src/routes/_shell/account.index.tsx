// Who one is here: name, address, role.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { UserRound } from "lucide-react";

import { EmailCard } from "~/account/EmailCard";
import { RegionCard } from "~/account/RegionCard";
import { answer, api } from "~/api/client";
import { Avatar } from "~/components/Avatar";
import { Badge } from "~/components/Badge";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { PageHeader } from "~/components/PageHeader";
import { toast } from "~/components/toast";
import { roleCan, roleName } from "~/session/roles";
import { me, useMe } from "~/session/session";

export const Route = createFileRoute("/_shell/account/")({
  staticData: {
    place: { label: msg`Profile`, icon: UserRound, group: "account", at: 10, key: "p", words: msg`name e-mail me account` },
  },
  component: Profile,
});

function Profile() {
  const { t } = useLingui();
  return (
    <>
      <PageHeader title={t`Profile`} description={<Trans>How you appear to others on this site.</Trans>} />
      <div className="grid gap-6">
        <Name />
        <EmailCard />
        <RegionCard />
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
