// Where a sign-in link leads. It is used by a button, since programs that look at mail open links too.

import { Trans, useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";
import { LogIn } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { ApiError, messageOf } from "~/api/errors";
import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { DoorPage } from "~/door/DoorPage";
import { useFinish } from "~/door/finish";
import { BadLink } from "~/door/Join";
import { useFragmentToken } from "~/door/useFragment";

export const Route = createFileRoute("/_door/magic-link")({ component: MagicLink });

function MagicLink() {
  const { t } = useLingui();
  const token = useFragmentToken();
  const finish = useFinish();
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();

  async function use() {
    setPending(true);
    setError(undefined);
    try {
      await answer(api.POST("/auth/magic-link/verify", { body: { token } }));
      finish();
    } catch (error) {
      setError(error);
      setPending(false);
    }
  }

  if (!token || (error instanceof ApiError && !error.isPassing)) {
    return (
      <BadLink error={error}>
        <Trans>A link works in the browser in which you asked for it: open it there, or ask for a new one here.</Trans>
      </BadLink>
    );
  }
  return (
    <DoorPage title={t`Sign in`} description={<Trans>Press the button to sign in on this device. The link works once.</Trans>}>
      {error !== undefined && <Notice tone="bad">{messageOf(error)}</Notice>}
      <Button variant="primary" size="lg" wide autoFocus icon={<LogIn className="rtl:-scale-x-100" />} pending={isPending} onClick={() => void use()}>
        <Trans>Sign in now</Trans>
      </Button>
    </DoorPage>
  );
}
