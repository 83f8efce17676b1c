// What an application asks for, and the decision about it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";

import { messageOf } from "~/api/errors";
import type { AskedScope, Scope } from "~/api/types";
import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { ScopeChoice, type Choice } from "~/components/ScopeChoice";

export type Decision = "approve" | "deny";

/** The state of a decision: everything that the role can give is ticked at first. */
export function useAsked(asked: AskedScope[], decide: (action: Decision, scopes: Scope[]) => Promise<unknown>) {
  const [scopes, setScopes] = useState(() => asked.filter(({ allowed }) => allowed).map(({ scope }) => scope));
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
  return { choices: asked, scopes, set: setScopes, deciding, problem, ask };
}

interface AskedProps {
  choices: Choice[];
  value: Scope[];
  onChange: (value: Scope[]) => void;
  problem: string | undefined;
  deciding: Decision | undefined;
  onDecide: (action: Decision) => Promise<void>;
}

/** The boxes and the two buttons. */
export function Asked({ choices, value, onChange, problem, deciding, onDecide }: AskedProps) {
  const { t } = useLingui();
  return (
    <div className="grid gap-5">
      <ScopeChoice legend={t`It could`} name="scopes" choices={choices} value={value} onChange={onChange} hint={<Trans>Take out what you do not want to give.</Trans>} />
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
          <Trans>Let it in</Trans>
        </Button>
      </div>
    </div>
  );
}
