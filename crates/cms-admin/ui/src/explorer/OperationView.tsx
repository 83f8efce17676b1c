// One operation: what it does, who may, what it takes, what it answers; and a request of it, sent from here or copied for a program.

import { Trans, useLingui } from "@lingui/react/macro";
import { UserRoundKey } from "lucide-react";
import { useRef, useState } from "react";

import { Badge } from "~/components/Badge";
import { Card } from "~/components/Card";
import { Notice } from "~/components/Notice";

import { partsOf } from "./document/describe";
import type { Operation } from "./document/operations";
import { sampleOf } from "./document/sample";
import { Heading } from "./parts/Heading";
import { OutcomeCard } from "./parts/Outcome";
import { Prose } from "./parts/Prose";
import { Responses } from "./parts/Responses";
import { SchemaTree } from "./parts/SchemaTree";
import { SnippetCard } from "./parts/Snippets";
import { BodyField, isJsonType } from "./request/BodyField";
import { draftOf, keepDraft } from "./request/drafts";
import { ParameterForm } from "./request/ParameterForm";
import { SendBar } from "./request/SendBar";
import { useSending } from "./request/useSending";
import { remember } from "./sending/history";
import { isDance, isSecret } from "./sending/special";
import { loseTrial, useTrial } from "./sending/trial";
import { argumentsOf, keyOf, problemOf } from "./sending/values";
import { addressOf, headersOf, type Call } from "./snippets/call";
import { isJson } from "./snippets/json";
import { TOOLS } from "./snippets/tools";

export function OperationView({ operation }: { operation: Operation }) {
  const { t } = useLingui();
  const trial = useTrial();
  const key = `operation ${operation.id}`;
  const { id, method, path, root, parameters, body: takes, answer } = operation;
  const [values, setValues] = useState(() => draftOf(key).values);
  const [text, setText] = useState(() => draftOf(key).body ?? beginningOf(operation));
  const [file, setFile] = useState<File>();
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const { outcome, isSending, send, follow, stop } = useSending();

  const isFile = takes !== undefined && !isJsonType(takes.mediaType);
  const hasBody = isFile || text.trim() !== "";
  const call: Call = {
    operationId: id,
    method,
    path,
    parameters: argumentsOf(root, parameters, values),
    ...(takes && hasBody ? { body: isFile ? { file: file?.name ?? "import.ndjson", mediaType: takes.mediaType } : text } : {}),
    answer,
  };

  function change(name: string, value: string) {
    const next = new Map(values).set(name, value);
    setValues(next);
    keepDraft(key, { values: next, body: text });
  }

  function write(text: string) {
    setText(text);
    keepDraft(key, { values, body: text });
  }

  function check(): boolean {
    setChecked(true);
    const isWrong = parameters.some((parameter) => problemOf(root, parameter, values.get(keyOf(parameter)) ?? "") !== undefined);
    const isBodyWrong = takes !== undefined && (isFile ? takes.required && !file : text.trim() === "" ? takes.required : !isJson(text));
    // What is wrong is known to the page once it is drawn.
    if (isWrong || isBodyWrong) requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true], input[type=file], [data-code]")?.focus());
    return !isWrong && !isBodyWrong;
  }

  async function go() {
    const content = !takes || !hasBody ? undefined : isFile ? file : text;
    const sent = {
      method,
      address: addressOf(call),
      headers: headersOf(call),
      body: content === undefined || !takes ? undefined : { content, mediaType: takes.mediaType },
      token: trial?.token,
    };
    const done = await (answer === "events" ? follow(sent) : send(sent));
    if (done?.kind !== "answered") return;
    const { status, milliseconds } = done.answered;
    if (status === 401 && trial) loseTrial();
    const names = [...parameters, ...(takes?.schema ? partsOf(root, takes.schema) : [])].map(({ name }) => name);
    remember({ at: Date.now(), kind: "operation", id, method, status, milliseconds, asToken: trial !== undefined, values: [...values], body: isFile ? undefined : text }, names);
  }

  return (
    <article className="grid min-w-0 gap-6">
      <Head operation={operation} />
      {isDance(id) ? (
        <Notice title={<Trans>Part of a flow in the browser</Trans>}>
          <Trans>It is sent with what a passkey, an e-mail or another site provides at that moment, so it cannot be tried here. Below is what it takes and returns.</Trans>
        </Notice>
      ) : (
        <>
          <Card id="request" title={<Trans>Request</Trans>}>
            <div ref={form} className="flex min-w-0 flex-col gap-6">
              {parameters.length > 0 && <ParameterForm {...{ root, parameters, values, isChecked }} onChange={change} />}
              {parameters.length === 0 && !takes && (
                <p className="text-muted">
                  <Trans>It takes no parameters.</Trans>
                </p>
              )}
              {takes && <BodyField mediaType={takes.mediaType} required={takes.required} text={text} onText={write} file={file} onFile={setFile} isChecked={isChecked} />}
              {isSecret(id) && (
                <Notice tone="warn">
                  <Trans>The response contains a secret. Send this only where nobody is looking over your shoulder.</Trans>
                </Notice>
              )}
              <SendBar id={id} changes={method !== "GET"} isSending={isSending} isStream={answer === "events"} check={check} onSend={() => void go()} onStop={stop} />
            </div>
          </Card>
          {outcome && <OutcomeCard outcome={outcome} name={id} isSecret={isSecret(id)} />}
        </>
      )}
      {!isDance(id) && <SnippetCard call={call} needsSession={!operation.proofs.includes("token") && !operation.proofs.includes("none")} />}
      {takes?.schema && isJsonType(takes.mediaType) && (
        <Card id="body" title={<Trans>Members of the body</Trans>} description={takes.description}>
          <SchemaTree root={root} schema={takes.schema} label={t`Members of the body`} />
        </Card>
      )}
      {isDance(id) && parameters.length > 0 && (
        <Card id="parameters" title={<Trans>Parameters</Trans>}>
          <SchemaTree root={root} schema={schemaOf(operation)} label={t`Parameters`} />
        </Card>
      )}
      <Responses operation={operation} />
    </article>
  );
}

/** The parameters as members, for an operation that has no form. */
function schemaOf({ parameters }: Operation) {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map(({ name, schema, description }) => [name, { ...schema, ...(description ? { description } : {}) }])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The body to begin with; none where it may be left out. */
function beginningOf({ body, root }: Operation): string {
  if (!body || !isJsonType(body.mediaType)) return "";
  if (body.example !== undefined) return JSON.stringify(body.example, undefined, 2);
  return sampleOf(root, body.schema);
}

function Head({ operation }: { operation: Operation }) {
  const { id, method, path, summary, description, who, proofs, isInternal, answer } = operation;
  const tool = TOOLS.get(id);
  return (
    <Heading title={summary} method={method} path={path} id={id} tool={tool}>
      <div className="flex flex-wrap gap-1.5">
        {proofs.includes("token") && (
          <Badge tone="accent">
            <Trans>Access token</Trans>
          </Badge>
        )}
        {proofs.includes("session") && (
          <Badge>
            <Trans>Session</Trans>
          </Badge>
        )}
        {proofs.includes("none") && (
          <Badge tone="good">
            <Trans>Without signing in</Trans>
          </Badge>
        )}
        {answer === "events" && (
          <Badge>
            <Trans>Event stream</Trans>
          </Badge>
        )}
        {isInternal && (
          <Badge tone="warn">
            <Trans>Internal</Trans>
          </Badge>
        )}
      </div>
      <Prose text={description} />
      {who && (
        <div className="flex gap-2 text-muted">
          <UserRoundKey aria-hidden className="mt-1 size-4 shrink-0" />
          <Prose text={who} />
        </div>
      )}
      {isInternal && (
        <p className="text-sm text-muted">
          <Trans>This is used by the administration itself and is not part of the contract: it may change with any version.</Trans>
        </p>
      )}
    </Heading>
  );
}
