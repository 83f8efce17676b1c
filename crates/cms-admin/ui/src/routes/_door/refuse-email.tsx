// Where the letter leads that tells of another e-mail address, for whoever did not ask for it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { ApiError, messageOf } from "~/api/errors";
import { Button, ButtonLink } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { DoorPage } from "~/door/DoorPage";
import { BadLink } from "~/door/Join";
import { useFragmentToken } from "~/door/useFragment";
import { me } from "~/session/session";

export const Route = createFileRoute("/_door/refuse-email")({ component: RefuseEmail });

function RefuseEmail() {
  const { t } = useLingui();
  const token = useFragmentToken();
  const queries = useQueryClient();
  const [state, setState] = useState<"asked" | "sending" | "done">("asked");
  const [error, setError] = useState<unknown>();

  async function refuse() {
    setState("sending");
    setError(undefined);
    try {
      await answer(api.POST("/auth/me/email/refuse", { body: { token } }));
      setState("done");
      queries.removeQueries(me);
    } catch (error) {
      setError(error);
      setState("asked");
    }
  }

  if (!token || (error instanceof ApiError && !error.isPassing)) {
    return (
      <BadLink error={error}>
        <Trans>Sign in and end all other sessions. If you cannot sign in, tell an admin at once.</Trans>
      </BadLink>
    );
  }
  if (state === "done") {
    return (
      <DoorPage
        icon={
          <span className="grid size-10 place-items-center rounded-full bg-good-soft text-good">
            <ShieldCheck aria-hidden className="size-5" />
          </span>
        }
        title={t`Your address stays`}
        description={<Trans>Everyone was signed out. Sign in, remove passkeys, tokens and applications that are not yours, and tell an admin.</Trans>}
      >
        <ButtonLink to="/" variant="primary" size="lg" wide>
          <Trans>Continue</Trans>
        </ButtonLink>
      </DoorPage>
    );
  }
  return (
    <DoorPage
      title={t`Keep your address?`}
      description={<Trans>Press the button if you did not ask for another address. Everyone who is signed in to your account is signed out.</Trans>}
    >
      {error !== undefined && <Notice tone="bad">{messageOf(error)}</Notice>}
      <Button variant="primary" size="lg" wide autoFocus icon={<ShieldCheck />} pending={state === "sending"} onClick={() => void refuse()}>
        <Trans>Keep my address</Trans>
      </Button>
    </DoorPage>
  );
}
