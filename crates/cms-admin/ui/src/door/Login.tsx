// The sign-in page.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { KeyRound, Mail } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { Button, ButtonAnchor } from "~/components/Button";
import { TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { Notice } from "~/components/Notice";
import { home } from "~/lib/site";

import { DoorPage, Or } from "./DoorPage";
import { safePath, useFinish } from "./finish";
import { loginError } from "./loginErrors";
import { CheckMail } from "./CheckMail";
import { isPasskeySupported, PasskeyError, passkeyMessage } from "./passkey";
import { Providers } from "./Providers";
import { hasGateway, mode as modeQuery } from "./queries";
import { usePasskeySignIn } from "./usePasskeySignIn";

export function Login({ back, error }: { back: string | undefined; error: string | undefined }) {
  const { t, i18n } = useLingui();
  const finish = useFinish();
  const mode = useQuery(modeQuery).data;
  const hasLinks = mode?.magicLinkEnabled ?? false;
  const [sentTo, setSentTo] = useState<string>();
  const passkey = usePasskeySignIn({ suggest: sentTo === undefined && !hasGateway(mode), onSignedIn: () => finish(back) });
  const form = useForm({
    values: { email: "" },
    submit: async ({ email }) => {
      // Passkeys that stay on a security key are only found by the account that they are for.
      if (!hasLinks) {
        await passkey.start(email);
        return;
      }
      await answer(api.POST("/auth/magic-link/send", { body: { email } }));
      setSentTo(email);
    },
  });

  if (hasGateway(mode)) {
    return (
      <DoorPage title={t`This site lets people in through its gateway`} description={<Trans>Sign in there, and come back. Other ways to sign in are switched off.</Trans>}>
        <ButtonAnchor href={home + safePath(back)} variant="primary" size="lg" wide>
          <Trans>Continue</Trans>
        </ButtonAnchor>
      </DoorPage>
    );
  }
  if (sentTo !== undefined) {
    return <CheckMail email={sentTo} resend={() => answer(api.POST("/auth/magic-link/send", { body: { email: sentTo } }))} onBack={() => setSentTo(undefined)} />;
  }

  return (
    <DoorPage
      title={t`Sign in`}
      description={safePath(back) === "/" ? <Trans>Welcome back.</Trans> : <Trans>Sign in to continue to the page you asked for.</Trans>}
      footer={
        mode?.signupEnabled && (
          <Trans>
            No account yet? <Link to="/signup">Sign up</Link>
          </Trans>
        )
      }
    >
      {(passkey.problem ?? error) && <Notice tone="bad">{passkey.problem ?? i18n._(loginError(error ?? ""))}</Notice>}
      {!isPasskeySupported() && (
        <Notice tone="warn">{passkeyMessage(new PasskeyError(window.isSecureContext ? "unsupported" : "insecure"))}</Notice>
      )}
      <Button variant="primary" size="lg" wide icon={<KeyRound />} pending={passkey.isPending} disabled={!isPasskeySupported()} onClick={() => void passkey.start(form.values.email || undefined)}>
        <Trans>Sign in with a passkey</Trans>
      </Button>
      <Providers providers={mode?.providers ?? []} back={back} />
      <Or>
        <Trans>or</Trans>
      </Or>
      <Form form={form} className="gap-3.5">
        <TextField
          {...form.field("email")}
          label={t`E-mail address`}
          type="email"
          inputMode="email"
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
        />
        {hasLinks ? (
          <Button type="submit" size="lg" wide icon={<Mail />} pending={form.isSending}>
            <Trans>Send me a sign-in link</Trans>
          </Button>
        ) : (
          <Button type="submit" size="lg" wide pending={form.isSending}>
            <Trans>Continue with this address</Trans>
          </Button>
        )}
      </Form>
    </DoorPage>
  );
}
