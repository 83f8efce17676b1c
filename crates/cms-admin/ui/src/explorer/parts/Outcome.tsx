// How a request went: its answer, its events, or that there is none; and what can be done about a refusal.

import { Trans } from "@lingui/react/macro";
import { useEffect, useRef, type ReactNode } from "react";

import { askToProve, askToSignIn } from "~/api/client";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { Notice } from "~/components/Notice";

import type { Outcome } from "../request/useSending";
import type { Answered } from "../sending/send";
import { useTrial } from "../sending/trial";
import { Answer } from "./Answer";
import { Stream } from "./Stream";
import { useText } from "./useText";

interface OutcomeViewProps {
  outcome: Outcome;
  name: string;
  isSecret: boolean;
}

export function OutcomeCard(props: OutcomeViewProps) {
  return (
    <AnswerCard>
      <OutcomeView {...props} />
    </AnswerCard>
  );
}

/** Comes into view when it appears: whoever sent something wants to see what came back. */
export function AnswerCard({ children }: { children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: newer browsers answer with a promise, and an effect must not.
    card.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={card} className="scroll-mt-[calc(var(--header-height)+1rem)] scroll-mb-24">
      <Card id="answer" title={<Trans>Response</Trans>}>
        {children}
      </Card>
    </div>
  );
}

export function OutcomeView({ outcome, name, isSecret }: OutcomeViewProps) {
  if (outcome.kind === "failed") {
    return outcome.isStopped ? (
      <Notice>
        <Trans>Stopped. The server may have carried it out all the same.</Trans>
      </Notice>
    ) : (
      <Notice tone="bad">
        <Trans>The server cannot be reached. Check your connection and try again.</Trans>
      </Notice>
    );
  }
  if (outcome.kind === "stream") {
    return (
      <div className="grid min-w-0 gap-3">
        <Former token={outcome.token} />
        <Stream stream={outcome} />
      </div>
    );
  }
  const { answered, token } = outcome;
  return (
    <div className="grid min-w-0 gap-3">
      <Former token={token} />
      {(answered.status === 401 || answered.status === 403) && <Refused answered={answered} asToken={token !== undefined} />}
      <Answer answered={answered} name={name} isSecret={isSecret && answered.status < 300} />
    </div>
  );
}

/** Says as whom something was sent, once what is sent is sent as somebody else: they may be answered something else. */
function Former({ token }: { token: string | undefined }) {
  if (useTrial()?.token === token) return null;
  return <Notice>{token === undefined ? <Trans>This was sent as you, without the token. Send it again to see what the token gets.</Trans> : <Trans>This was sent with a token that you used before. Send it again to see what is answered now.</Trans>}</Notice>;
}

/** What is missing, where it can be had. */
function Refused({ answered: { status, body }, asToken }: { answered: Answered; asToken: boolean }) {
  const text = useText(body);
  const failure = text === undefined ? undefined : failureOf(text);
  if (asToken) {
    return (
      <Notice tone="warn">
        {status === 401 ? (
          <Trans>The token is not accepted here, or no longer valid.</Trans>
        ) : (
          <Trans>This was sent with a token that can do less than you. Create one that can do more, or send it as yourself.</Trans>
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
  if (failure?.code !== "REAUTHENTICATION_REQUIRED") return null;
  return (
    <Notice
      tone="warn"
      action={
        <Button size="sm" onClick={() => void askToProve(failure.methods)}>
          <Trans>Confirm that it’s you</Trans>
        </Button>
      }
    >
      <Trans>This needs a fresh confirmation that it’s you. Confirm, then send it again.</Trans>
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
