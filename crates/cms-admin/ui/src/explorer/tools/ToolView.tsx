// One tool: what it says of itself to agents, its arguments, and a call of it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";

import { Badge } from "~/components/Badge";
import { Card } from "~/components/Card";
import { Notice } from "~/components/Notice";
import { EmptyState, Loaded } from "~/components/states";

import { argumentsOf } from "../document/operations";
import { Code } from "../parts/Code";
import { Heading } from "../parts/Heading";
import { AnswerCard, OutcomeView } from "../parts/Outcome";
import { Prose } from "../parts/Prose";
import { SchemaTree } from "../parts/SchemaTree";
import { useText } from "../parts/useText";
import { draftOf, keepDraft } from "../request/drafts";
import { ParameterForm } from "../request/ParameterForm";
import { SendBar } from "../request/SendBar";
import { useSending, type Outcome } from "../request/useSending";
import { remember } from "../sending/history";
import { loseTrial, type Trial } from "../sending/trial";
import { argumentsOf as given, keyOf, problemOf } from "../sending/values";
import { laidOut } from "../snippets/json";
import { argumentsOf as written, toolCall } from "../snippets/mcp";
import { message, toolList, type Tool } from "./client";
import { saidBy } from "./said";
import { NeedsToken } from "./ToolList";

export function ToolView({ name, trial, onTrial }: { name: string; trial: Trial | undefined; onTrial: () => void }) {
  if (!trial) {
    return (
      <Card flush>
        <NeedsToken onTrial={onTrial} />
      </Card>
    );
  }
  return <Found name={name} trial={trial} />;
}

function Found({ name, trial }: { name: string; trial: Trial }) {
  const query = useQuery(toolList(trial.id, trial.token));
  return (
    <Loaded query={query}>
      {(tools) => {
        const tool = tools.find((tool) => tool.name === name);
        return tool ? (
          <Shown key={name} tool={tool} trial={trial} />
        ) : (
          <EmptyState title={<Trans>There is no such tool</Trans>}>
            <Trans>Or your role may not call it.</Trans>
          </EmptyState>
        );
      }}
    </Loaded>
  );
}

function Shown({ tool, trial }: { tool: Tool; trial: Trial }) {
  const { t } = useLingui();
  const { name, title = name, description = "", inputSchema: root, outputSchema, annotations = {} } = tool;
  const key = `tool ${name}`;
  const parameters = argumentsOf(root);
  const [values, setValues] = useState(() => draftOf(key).values);
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const { outcome, isSending, send, stop } = useSending();
  const args = written({ parameters: given(root, parameters, values) }) ?? "{}";
  const call = toolCall(name, args) ?? "";

  function change(name: string, value: string) {
    const next = new Map(values).set(name, value);
    setValues(next);
    keepDraft(key, { values: next, body: undefined });
  }

  function check(): boolean {
    setChecked(true);
    const isWrong = parameters.some((parameter) => problemOf(root, parameter, values.get(keyOf(parameter)) ?? "") !== undefined);
    if (isWrong) requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    return !isWrong;
  }

  async function go() {
    const done = await send(message(call, trial.token));
    if (done?.kind !== "answered") return;
    const { status, milliseconds } = done.answered;
    if (status === 401) loseTrial();
    const names = parameters.map(({ name }) => name);
    remember({ at: Date.now(), kind: "tool", id: name, method: "", status, milliseconds, asToken: true, values: [...values], body: undefined }, names);
  }

  // The first line is the title, which is above.
  const about = description.split("\n\n").slice(1).join("\n\n");
  return (
    <article className="grid min-w-0 gap-6">
      <Heading title={title} id={name}>
        <div className="flex flex-wrap gap-1.5">
          {annotations.readOnlyHint ? (
            <Badge tone="good">
              <Trans>Read-only</Trans>
            </Badge>
          ) : (
            <Badge tone={annotations.destructiveHint ? "bad" : "warn"}>{annotations.destructiveHint ? <Trans>Destructive</Trans> : <Trans>Makes changes</Trans>}</Badge>
          )}
          {annotations.idempotentHint && !annotations.readOnlyHint && (
            <Badge>
              <Trans>Safe to repeat</Trans>
            </Badge>
          )}
        </div>
        <Prose text={about} />
      </Heading>
      <Card id="request" title={<Trans>Arguments</Trans>}>
        <div ref={form} className="flex min-w-0 flex-col gap-6">
          {parameters.length === 0 && (
            <p className="text-muted">
              <Trans>It takes no arguments.</Trans>
            </p>
          )}
          <ParameterForm {...{ root, parameters, values, isChecked }} onChange={change} />
          <SendBar id={key} changes={!annotations.readOnlyHint} isSending={isSending} isStream={false} check={check} onSend={() => void go()} onStop={stop} />
        </div>
      </Card>
      {outcome && (
        <AnswerCard>
          <Said outcome={outcome} name={name} />
        </AnswerCard>
      )}
      <Card id="code" title={<Trans>In code</Trans>} description={<Trans>The message that calls it, as the Model Context Protocol has it.</Trans>}>
        <Code label="MCP" text={laidOut(call)} />
      </Card>
      {outputSchema && (
        <Card id="output" title={<Trans>Result</Trans>}>
          <SchemaTree root={outputSchema} schema={outputSchema} label={t`Members of the result`} />
        </Card>
      )}
    </article>
  );
}

/** What a tool said, without the envelope of the protocol; the whole of it where there is none. */
function Said({ outcome, name }: { outcome: Outcome; name: string }) {
  const text = useText(outcome.kind === "answered" ? outcome.answered.body : undefined);
  const said = useMemo(() => (text === undefined ? undefined : saidBy(text)), [text]);
  const content = useMemo(() => said && new Blob([said.text], { type: /^[[{]/.test(said.text) && !said.isError ? "application/json" : "text/plain" }), [said]);
  if (outcome.kind !== "answered" || (text !== undefined && !said)) return <OutcomeView outcome={outcome} name={name} isSecret={false} />;
  if (!said || !content) return null;
  return (
    <div className="grid min-w-0 gap-3">
      {said.isError && (
        <Notice tone="warn">
          <Trans>The tool reported an error.</Trans>
        </Notice>
      )}
      <OutcomeView outcome={{ ...outcome, answered: { ...outcome.answered, body: content, bytes: content.size } }} name={name} isSecret={false} />
    </div>
  );
}
