// Making an account by oneself, for people of the domains that the site lets in.

import { Trans, useLingui } from "@lingui/react/macro";
import { createFileRoute, Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Mail } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { Button } from "~/components/Button";
import { TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { Notice } from "~/components/Notice";
import { CheckMail } from "~/door/CheckMail";
import { DoorPage } from "~/door/DoorPage";
import { Join, SignUpLink } from "~/door/Join";
import { mode as modeQuery } from "~/door/queries";
import { useFragmentToken } from "~/door/useFragment";

export const Route = createFileRoute("/_door/signup")({
  loader: ({ context }) => context.queries.query(modeQuery).catch(() => undefined),
  component: SignUp,
});

function SignUp() {
  const { t } = useLingui();
  const token = useFragmentToken();
  if (!token) return <AskForLink />;
  return (
    <Join
      title={t`Create your account`}
      token={token}
      look={(token) => answer(api.POST("/auth/signup/verify", { body: { token } }))}
      ask={(body) => answer(api.POST("/auth/signup/register-options", { body }))}
      complete={(body) => answer(api.POST("/auth/signup/complete", { body }))}
      elsewhere={
        <Trans>
          You can <SignUpLink>ask for a new link</SignUpLink>.
        </Trans>
      }
    />
  );
}

function AskForLink() {
  const { t } = useLingui();
  const mode = useQuery(modeQuery).data;
  const [sentTo, setSentTo] = useState<string>();
  const send = (email: string) => answer(api.POST("/auth/signup/request", { body: { email } }));
  const form = useForm({
    values: { email: "" },
    submit: async ({ email }) => {
      await send(email);
      setSentTo(email);
    },
  });
  if (sentTo !== undefined) return <CheckMail email={sentTo} resend={() => send(sentTo)} onBack={() => setSentTo(undefined)} />;
  return (
    <DoorPage
      title={t`Create an account`}
      description={<Trans>Enter your e-mail address at your organization. You will get a link to continue with.</Trans>}
      footer={
        <Trans>
          Have an account? <Link to="/login">Sign in</Link>
        </Trans>
      }
    >
      {mode && !mode.signupEnabled && (
        <Notice tone="warn">
          <Trans>This site takes new people by invitation only. Ask an administrator.</Trans>
        </Notice>
      )}
      <Form form={form}>
        <TextField {...form.field("email")} label={t`E-mail address`} type="email" inputMode="email" autoComplete="email" autoCapitalize="none" spellCheck={false} autoFocus />
        <Button type="submit" variant="primary" size="lg" wide icon={<Mail />} pending={form.isSending} disabled={mode && !mode.signupEnabled}>
          <Trans>Send me a link</Trans>
        </Button>
      </Form>
    </DoorPage>
  );
}
