// Where the letter leads that confirms an e-mail address.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { CircleCheck, MailCheck } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { ApiError, messageOf } from "~/api/errors";
import { Button, ButtonLink } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { DoorPage } from "~/door/DoorPage";
import { BadLink } from "~/door/Join";
import { useFragmentToken } from "~/door/useFragment";
import { me } from "~/session/session";

export const Route = createFileRoute("/_door/confirm-email")({ component: ConfirmEmail });

function ConfirmEmail() {
  const { t } = useLingui();
  const token = useFragmentToken();
  const queries = useQueryClient();
  const [state, setState] = useState<"asked" | "sending" | "done">("asked");
  const [error, setError] = useState<unknown>();

  async function confirm() {
    setState("sending");
    setError(undefined);
    try {
      await answer(api.POST("/auth/me/email/confirm", { body: { token } }));
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
        <Trans>You can ask for a new link in your profile.</Trans>
      </BadLink>
    );
  }
  if (state === "done") {
    return (
      <DoorPage
        icon={
          <span className="grid size-10 place-items-center rounded-full bg-good-soft text-good">
            <CircleCheck aria-hidden className="size-5" />
          </span>
        }
        title={t`Your e-mail address is confirmed`}
        description={<Trans>From now on, messages to you go there.</Trans>}
      >
        <ButtonLink to="/" variant="primary" size="lg" wide>
          <Trans>Continue</Trans>
        </ButtonLink>
      </DoorPage>
    );
  }
  return (
    <DoorPage title={t`Confirm your address`} description={<Trans>Press the button to confirm that this address is yours.</Trans>}>
      {error !== undefined && <Notice tone="bad">{messageOf(error)}</Notice>}
      <Button variant="primary" size="lg" wide autoFocus icon={<MailCheck />} pending={state === "sending"} onClick={() => void confirm()}>
        <Trans>Confirm this address</Trans>
      </Button>
    </DoorPage>
  );
}
