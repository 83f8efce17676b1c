// Signing in again in the middle of work: the page stays as it is, and what was being sent goes out afterwards.

import { Trans } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { Suspense, useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";

import { answer, api, onRefusal } from "~/api/client";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Notice } from "~/components/Notice";
import { hasGateway, mode } from "~/door/queries";
import { usePasskeySignIn } from "~/door/usePasskeySignIn";
import { lazily } from "~/lib/lazily";
import { home } from "~/lib/site";
import { pauseInTyping } from "~/lib/typing";

import { isLeaving } from "./leaving";
import { me } from "./session";

// Fetched when it is asked, which is seldom: it takes the forms of the door along.
const Prove = lazily(() => import("./Prove").then((of) => of.Prove));

/** What somebody is asked for: a new session, or a proof for the one that they have, in one of some ways. */
type Question = { kind: "signIn" } | { kind: "prove"; methods: string[] };

export function SignInAgain() {
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question>();
  const waiting = useRef<((isBack: boolean) => void)[]>([]);
  /** Whoever would not sign in now is asked again when they ask for something, and not at each pause in their writing. */
  const isPutOff = useRef(false);

  function settle(isBack: boolean) {
    waiting.current.forEach((resolve) => resolve(isBack));
    waiting.current = [];
    setQuestion(undefined);
    // It says until when the proof is good.
    if (isBack) void queries.invalidateQueries(me);
    isPutOff.current = !isBack;
  }

  /** The same person goes on; another one must not send what the first one wrote. */
  function takeBack(id: string) {
    if (queries.getQueryData(me.queryKey)?.id === id) settle(true);
    else location.assign(home);
  }

  const ask = useEffectEvent((asked: Question) => {
    // Before the door there is no work to save.
    if (isLeaving.current || !queries.getQueryData(me.queryKey)) return Promise.resolve(false);
    // Whoever signs in again proves who they are by that.
    setQuestion((open) => (open?.kind === "signIn" ? open : asked));
    return new Promise<boolean>((resolve) => waiting.current.push(resolve));
  });

  /** A proof that was given meanwhile, here or in another tab, gave the session another secret: what was under way with the old one goes out again. */
  async function isStillIn() {
    try {
      return (await answer(api.GET("/auth/me"))).id === queries.getQueryData(me.queryKey)?.id;
    } catch {
      return false;
    }
  }

  const signIn = useEffectEvent(async (isAskedFor: boolean) => {
    if (await isStillIn()) return true;
    if (isPutOff.current && !isAskedFor) return false;
    // Whoever is in the middle of a sentence would write the rest of it into the question, and press its button with a space.
    await pauseInTyping();
    return ask({ kind: "signIn" });
  });

  // Somebody may sign in again in another tab, as by a link in a mail.
  const look = useEffectEvent(async () => {
    if (question?.kind !== "signIn" || document.visibilityState !== "visible") return;
    try {
      takeBack((await answer(api.GET("/auth/me"))).id);
    } catch {
      // Still signed out.
    }
  });

  useEffect(() => {
    onRefusal({ signIn: (isAskedFor) => signIn(isAskedFor), prove: (methods) => ask({ kind: "prove", methods }) });
    const listen = () => void look();
    document.addEventListener("visibilitychange", listen);
    return () => {
      onRefusal(undefined);
      document.removeEventListener("visibilitychange", listen);
    };
  }, []);

  return (
    <>
      <SessionEnded isOpen={question?.kind === "signIn"} onSignedIn={(id) => takeBack(id)} onGivenUp={() => settle(false)} />
      <Suspense>{question?.kind === "prove" && <Prove methods={question.methods} onProven={() => settle(true)} onGivenUp={() => settle(false)} />}</Suspense>
    </>
  );
}

function SessionEnded({ isOpen, onSignedIn, onGivenUp }: { isOpen: boolean; onSignedIn: (id: string) => void; onGivenUp: () => void }) {
  const { start, isPending, problem } = usePasskeySignIn({ onSignedIn: ({ user }) => onSignedIn(user.id) });
  // A gateway asks for its own sign-in, in a tab of its own.
  const isBehindGateway = hasGateway(useQuery(mode).data);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => !open && onGivenUp()}
      role="alertdialog"
      locked={isPending}
      title={<Trans>Your session has ended</Trans>}
      description={<Trans>Sign in again to go on: what you asked for is done then. This page stays as it is, and nothing that you wrote is lost.</Trans>}
    >
      {problem && <Notice tone="bad">{problem}</Notice>}
      <p className="text-muted">
        {isBehindGateway ? (
          <Trans>
            <SignInTab>Sign in in another tab</SignInTab> and come back.
          </Trans>
        ) : (
          <Trans>
            You can also <SignInTab>sign in in another tab</SignInTab> and come back.
          </Trans>
        )}
      </p>
      <DialogActions>
        <Button onClick={onGivenUp}>
          <Trans>Not now</Trans>
        </Button>
        {!isBehindGateway && (
          <Button variant="primary" icon={<KeyRound />} pending={isPending} autoFocus onClick={() => void start()}>
            <Trans>Sign in with a passkey</Trans>
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** A link to the sign-in that leaves this page as it is. */
function SignInTab({ children }: { children: ReactNode }) {
  return (
    <a href={`${home}/login`} target="_blank" rel="noopener" className="font-medium text-accent-ink underline underline-offset-2">
      {children}
    </a>
  );
}
