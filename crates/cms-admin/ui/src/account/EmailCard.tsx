// One's e-mail address: whether it is confirmed, and changing it, which takes a letter to the new one.

import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Send } from "lucide-react";
import type { ReactNode } from "react";

import { answer, api } from "~/api/client";
import type { Me } from "~/api/types";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { EmailBadge } from "~/components/EmailBadge";
import { TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { Notice } from "~/components/Notice";
import { toast } from "~/components/toast";
import { hasGateway, hasMail, mode } from "~/door/queries";
import { useFormat } from "~/lib/format";
import { me, useCan, useMe } from "~/session/session";

/** Has a letter sent to an address; an earlier one opens nothing any more. */
function ask(email: string) {
  return answer(api.POST("/auth/me/email", { body: { email } }));
}

export function EmailCard() {
  const { id, pendingEmail } = useMe();
  const mayChange = useCan()("users:manage");
  const ways = useQuery(mode).data;
  if (ways && !hasMail(ways)) {
    return (
      <Frame>
        <Notice>
          {hasGateway(ways) ? (
            <Trans>The gateway knows you by this address.</Trans>
          ) : mayChange ? (
            <Trans>
              This site sends no e-mail, so no address can be confirmed. You can change yours{" "}
              <Link to="/users/$id" params={{ id }} className="underline">
                among the users
              </Link>
              .
            </Trans>
          ) : (
            <Trans>This site sends no e-mail, so no address can be confirmed. An administrator can change yours.</Trans>
          )}
        </Notice>
      </Frame>
    );
  }
  return pendingEmail ? <Waiting pending={pendingEmail} /> : <Change />;
}

/** The card with the present address on top. */
function Frame({ children, action, footer }: { children: ReactNode; action?: ReactNode; footer?: ReactNode }) {
  const { email, emailVerified } = useMe();
  return (
    <Card title={<Trans>E-mail address</Trans>} description={<Trans>For sign-in links and messages from this site.</Trans>} footer={footer}>
      <div className="grid gap-5">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
          <span dir="ltr" className="min-w-0 font-medium break-all">
            {email}
          </span>
          <EmailBadge verified={emailVerified} />
          {action}
        </div>
        {children}
      </div>
    </Card>
  );
}

function Change() {
  const { email: present, emailVerified } = useMe();
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => ask(present),
    onSuccess: () => queries.invalidateQueries(me),
    onError: toast.bad,
  });
  const form = useForm({
    values: { email: "" },
    submit: async ({ email }) => {
      await ask(email.trim());
      await queries.invalidateQueries(me);
    },
  });
  return (
    <Form form={form} guarded>
      <Frame
        action={
          !emailVerified && (
            <Button size="sm" icon={<Send aria-hidden />} pending={confirm.isPending} onClick={() => confirm.mutate()}>
              <Trans>Confirm this address</Trans>
            </Button>
          )
        }
        footer={
          <Button type="submit" pending={form.isSending} disabled={!form.isDirty}>
            <Trans>Send confirmation</Trans>
          </Button>
        }
      >
        <TextField
          label={<Trans>New address</Trans>}
          hint={<Trans>We will send a link there. Your address changes when you open it.</Trans>}
          type="email"
          dir="ltr"
          autoComplete="email"
          {...form.field("email")}
        />
      </Frame>
    </Form>
  );
}

function Waiting({ pending: { email, sentAt, expiresAt } }: { pending: NonNullable<Me["pendingEmail"]> }) {
  const { email: present } = useMe();
  const { relative, dateTime } = useFormat();
  const queries = useQueryClient();
  const renew = () => queries.invalidateQueries(me);
  const resend = useMutation({
    mutationFn: () => ask(email),
    onSuccess: async () => {
      await renew();
      toast.good(<Trans>The link is on its way again.</Trans>);
    },
    onError: toast.bad,
  });
  const cancel = useMutation({
    mutationFn: () => answer(api.DELETE("/auth/me/email")),
    onSuccess: async () => {
      await renew();
      toast.good(<Trans>Your address stays as it is.</Trans>);
    },
    onError: toast.bad,
  });
  return (
    <Frame>
      <Notice
        title={<Trans>Waiting for confirmation</Trans>}
        action={
          <>
            <Button size="sm" pending={resend.isPending} disabled={cancel.isPending} onClick={() => resend.mutate()}>
              <Trans>Send again</Trans>
            </Button>
            <Button size="sm" pending={cancel.isPending} disabled={resend.isPending} onClick={() => cancel.mutate()}>
              {email === present ? <Trans>Do not confirm</Trans> : <Trans>Keep my address</Trans>}
            </Button>
          </>
        }
      >
        <p>
          {email === present ? (
            <Trans>
              We sent a link to <bdi className="font-medium">{email}</bdi>. Your address is confirmed when you open it.
            </Trans>
          ) : (
            <Trans>
              We sent a link to <bdi className="font-medium">{email}</bdi>. Your address changes when you open it; until then the present one stays.
            </Trans>
          )}
        </p>
        <p className="mt-1 text-sm text-muted">
          <Trans>
            Sent {relative(sentAt)}; the link works until {dateTime(expiresAt)}.
          </Trans>
        </p>
      </Notice>
    </Frame>
  );
}
