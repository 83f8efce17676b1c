// Where the letter to the present address leads when another one was asked for: whoever did not ask stops the change here, signed in or not.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { ApiError, messageOf } from "~/api/errors";
import { Button, ButtonLink } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { DoorIcon } from "~/door/DoorIcon";
import { DoorPage } from "~/door/DoorPage";
import { BadLink } from "~/door/Join";
import { useFragmentToken } from "~/door/useFragment";

export const Route = createFileRoute("/_door/refuse-email")({ component: RefuseEmail });

function RefuseEmail() {
  const { t } = useLingui();
  const token = useFragmentToken();
  const queries = useQueryClient();
  const [isPending, setPending] = useState(false);
  const [wasWaiting, setWasWaiting] = useState<boolean>();
  const [error, setError] = useState<unknown>();

  async function refuse() {
    setPending(true);
    setError(undefined);
    try {
      const { cancelled } = await answer(api.POST("/auth/me/email/refuse", { body: { token } }));
      setWasWaiting(cancelled);
      // This browser may have been signed in to the account as well.
      queries.clear();
    } catch (error) {
      setError(error);
    } finally {
      setPending(false);
    }
  }

  if (wasWaiting !== undefined) return <Refused wasWaiting={wasWaiting} />;
  if (!token || (error instanceof ApiError && !error.isPassing)) {
    return (
      <BadLink error={error}>
        <Trans>If you did not ask for a new address, sign in now and sign out everywhere else.</Trans>
      </BadLink>
    );
  }
  return (
    <DoorPage
      icon={<DoorIcon icon={<ShieldAlert />} />}
      title={t`Keep your e-mail address?`}
      description={<Trans>Someone signed in to your account and asked to change its e-mail address. If that was not you, stop it here.</Trans>}
    >
      <p>
        <Trans>Your address stays as it is, and everyone who is signed in to your account is signed out, including you.</Trans>
      </p>
      {error !== undefined && <Notice tone="bad">{messageOf(error)}</Notice>}
      <Button variant="danger" size="lg" wide pending={isPending} onClick={() => void refuse()}>
        <Trans>Stop the change</Trans>
      </Button>
      <p className="text-sm text-muted">
        <Trans>If you asked for the change yourself, close this page.</Trans>
      </p>
    </DoorPage>
  );
}

function Refused({ wasWaiting }: { wasWaiting: boolean }) {
  const { t } = useLingui();
  return (
    <DoorPage
      icon={<DoorIcon tone="good" icon={<ShieldCheck />} />}
      title={wasWaiting ? t`Your address stays as it is` : t`Everyone is signed out`}
      description={
        wasWaiting ? (
          <Trans>The change is cancelled, and everyone who was signed in to your account is signed out.</Trans>
        ) : (
          <Trans>There was no change left to cancel. To be safe, everyone who was signed in to your account is signed out.</Trans>
        )
      }
    >
      <Notice tone="warn" title={<Trans>Check your account next</Trans>}>
        <Trans>Sign in, and remove every passkey, access token and application that you do not recognize. Then tell an administrator.</Trans>
      </Notice>
      <ButtonLink to="/login" search={{ return: "/account/security" }} variant="primary" size="lg" wide>
        <Trans>Sign in</Trans>
      </ButtonLink>
    </DoorPage>
  );
}
