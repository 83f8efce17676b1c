// How a request went: its answer, its events, or that there is none; and what can be done about a refusal.

import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";

import { askToProve, askToSignIn } from "~/api/client";
import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";

import type { Outcome } from "../request/useSending";
import type { Answered } from "../sending/send";
import { Answer } from "./Answer";
import { Stream } from "./Stream";

interface OutcomeViewProps {
  outcome: Outcome;
  name: string;
  isSecret: boolean;
}

export function OutcomeView({ outcome, name, isSecret }: OutcomeViewProps) {
  if (outcome.kind === "failed") {
    return outcome.isStopped ? (
      <Notice>
        <Trans>Stopped. The server may have done it all the same.</Trans>
      </Notice>
    ) : (
      <Notice tone="bad">
        <Trans>The server cannot be reached. Check your connection and try again.</Trans>
      </Notice>
    );
  }
  if (outcome.kind === "stream") return <Stream stream={outcome} />;
  const { answered, asToken } = outcome;
  return (
    <div className="grid min-w-0 gap-3">
      {(answered.status === 401 || answered.status === 403) && <Refused answered={answered} asToken={asToken} />}
      <Answer answered={answered} name={name} isSecret={isSecret && answered.status < 300} />
    </div>
  );
}

/** What is missing, where it can be had. */
function Refused({ answered: { status, body }, asToken }: { answered: Answered; asToken: boolean }) {
  const key = useId();
  const { data } = useQuery({ queryKey: ["explorer", "refusal", key, body], queryFn: () => body.text().then(failureOf), gcTime: 0, staleTime: Infinity });
  if (asToken) {
    return (
      <Notice tone="warn">
        {status === 401 ? (
          <Trans>The token is not good for this, or no longer good.</Trans>
        ) : (
          <Trans>This was sent with a token, which may less than you. Make one that may more, or send it as yourself.</Trans>
        )}
      </Notice>
    );
  }
  if (status === 401) {
    return (
      <Notice
        tone="warn"
        action={
          <Button size="sm" onClick={() => void askToSignIn()}>
            <Trans>Sign in again</Trans>
          </Button>
        }
      >
        <Trans>Your session is over. Sign in again, then send this again.</Trans>
      </Notice>
    );
  }
  if (data?.code !== "REAUTHENTICATION_REQUIRED") return null;
  return (
    <Notice
      tone="warn"
      action={
        <Button size="sm" onClick={() => void askToProve(data.methods)}>
          <Trans>Confirm that it’s you</Trans>
        </Button>
      }
    >
      <Trans>This needs a fresh proof that it is you. Confirm it, then send this again.</Trans>
    </Notice>
  );
}

function failureOf(text: string): { code: string; methods: string[] } {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: string; details?: { methods?: string[] } } };
    return { code: error?.code ?? "", methods: error?.details?.methods ?? [] };
  } catch {
    return { code: "", methods: [] };
  }
}
