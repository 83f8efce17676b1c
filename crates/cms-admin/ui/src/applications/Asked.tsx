// What an application asks for, and the decision about it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";

import { messageOf } from "~/api/errors";
import type { AskedScope, Scope } from "~/api/types";
import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { ScopeChoice, type Choice } from "~/components/ScopeChoice";
import { useFormat } from "~/lib/format";
import { byHarm, isHighRisk } from "~/session/scopes";

export type Decision = "approve" | "deny";

/** Why something is not ticked at first: nobody here knows the application, or it would be able to do everything. */
type Withheld = "unknown" | "everything";

/** An application that asks, and what it asks for. */
interface Asking {
  client: { registered: boolean };
  scopes: AskedScope[];
}

/**
 * The state of a decision. What the role can give is ticked at first, but for a whole account, and for what is dangerous in the hands of an application
 * that registered itself: nobody here has ever looked at it, and one careless press must not hand over the site.
 */
export function useAsked({ client, scopes: asked }: Asking, decide: (action: Decision, scopes: Scope[]) => Promise<unknown>) {
  const isWithheld = (scope: Scope) => scope === "admin" || (client.registered && isHighRisk(scope));
  const [scopes, setScopes] = useState(() => asked.filter(({ scope, allowed }) => allowed && !isWithheld(scope)).map(({ scope }) => scope));
  const [deciding, setDeciding] = useState<Decision>();
  const [problem, setProblem] = useState<string>();
  async function ask(action: Decision) {
    setDeciding(action);
    setProblem(undefined);
    try {
      await decide(action, action === "approve" ? scopes : []);
    } catch (error) {
      setProblem(messageOf(error));
      setDeciding(undefined);
    }
  }
  const withheld = asked.some(({ scope, allowed }) => allowed && isWithheld(scope));
  const hasWithheld: Withheld | undefined = withheld ? (client.registered ? "unknown" : "everything") : undefined;
  return { choices: byHarm(asked), scopes, set: setScopes, hasWithheld, deciding, problem, ask };
}

interface AskedProps {
  choices: Choice[];
  value: Scope[];
  onChange: (value: Scope[]) => void;
  /** Why something was left unticked because of what it can do, if anything was. */
  hasWithheld: Withheld | undefined;
  /** For how many seconds it would have that at most. */
  lasts: number;
  problem: string | undefined;
  deciding: Decision | undefined;
  onDecide: (action: Decision) => Promise<void>;
}

/** The boxes and the two buttons. */
export function Asked({ choices, value, onChange, hasWithheld, lasts, problem, deciding, onDecide }: AskedProps) {
  const { t } = useLingui();
  const { duration } = useFormat();
  const longest = duration(lasts);
  return (
    <div className="grid gap-5">
      <ScopeChoice
        legend={t`It would be able to`}
        name="scopes"
        choices={choices}
        value={value}
        onChange={onChange}
        hint={
          hasWithheld === "everything" ? (
            <Trans>“Everything” starts unticked. Tick it only if you want to hand over all that you can do here.</Trans>
          ) : hasWithheld ? (
            <Trans>High-risk permissions start unticked, because nobody here has reviewed this application. Tick only what it needs.</Trans>
          ) : (
            <Trans>Untick anything you do not want to allow.</Trans>
          )
        }
      />
      <p className="text-sm text-muted">
        <Trans>It keeps this access for {longest} at most, or until you disconnect it under “Connected applications”.</Trans>
      </p>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <div className="grid gap-2 sm:grid-cols-2">
        <Button size="lg" pending={deciding === "deny"} disabled={deciding === "approve"} onClick={() => void onDecide("deny")}>
          <Trans>Deny</Trans>
        </Button>
        <Button
          size="lg"
          variant="primary"
          pending={deciding === "approve"}
          disabled={deciding === "deny" || value.length === 0}
          onClick={() => void onDecide("approve")}
        >
          <Trans>Allow access</Trans>
        </Button>
      </div>
    </div>
  );
}
