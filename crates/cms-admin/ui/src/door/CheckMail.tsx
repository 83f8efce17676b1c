// A letter is on its way, if it may be: the page does not know either, on purpose.

import { Trans, useLingui } from "@lingui/react/macro";
import { MailCheck } from "lucide-react";

import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";

import { DoorPage } from "./DoorPage";
import { useResend } from "./useResend";

interface CheckMailProps {
  email: string;
  resend: () => Promise<unknown>;
  onBack: () => void;
}

export function CheckMail({ email, resend, onBack }: CheckMailProps) {
  const { t } = useLingui();
  const { left, isPending, problem, again } = useResend(resend);
  return (
    <DoorPage
      icon={
        <span className="grid size-10 place-items-center rounded-full bg-good-soft text-good">
          <MailCheck aria-hidden className="size-5" />
        </span>
      }
      title={t`Check your e-mail`}
      description={
        <Trans>
          If <strong className="font-medium break-all text-ink">{email}</strong> can be used here, a link is on its way to it. It works once, for 10 minutes, in
          this browser.
        </Trans>
      }
    >
      {problem && <Notice tone="bad">{problem}</Notice>}
      <p className="text-muted">
        <Trans>Nothing there? Check your spam folder, and the address for typos.</Trans>
      </p>
      <div className="grid gap-2.5">
        <Button size="lg" wide disabled={left > 0} pending={isPending} onClick={() => void again()}>
          {left > 0 ? <Trans>Send again in {left} s</Trans> : <Trans>Send again</Trans>}
        </Button>
        <Button variant="ghost" size="lg" wide onClick={onBack}>
          <Trans>Use another address</Trans>
        </Button>
      </div>
    </DoorPage>
  );
}
