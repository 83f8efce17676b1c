// What came back: how it went, how long it took, how much it was, and the body as it is. Long ones are cut, which is said, and can be had whole.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Download } from "lucide-react";
import { useId, useMemo, useState } from "react";

import { Badge, type Tone } from "~/components/Badge";
import { Button } from "~/components/Button";
import { CodeBox } from "~/components/CodeField";
import { Notice } from "~/components/Notice";
import { Skeleton } from "~/components/states";
import { useFormat } from "~/lib/format";

import { MOST_BYTES, type Answered, type Head } from "../sending/send";
import { laidOut } from "../snippets/json";
import { CopyButton } from "./CopyButton";
import { useText } from "./useText";

/** Longer ones are shown as they came: laying them out would hold up the page. In bytes. */
const LAID_OUT = 2_000_000;
/** As much of an answer is shown, in characters. */
const SHOWN = 200_000;
/** As much of an answer is read to be shown, in bytes: what is cut off is on no screen. */
const READ = 4_000_000;

const isJsonType = (type: string) => /[/+]json\b/.test(type);
const isTextType = (type: string) => /^text\/|json|xml|javascript/.test(type) || type === "";

/** A status by its colour and its number. */
export function Status({ status, statusText }: { status: number; statusText: string }) {
  const tone: Tone = status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
  return <Badge tone={tone}>{`${status} ${statusText}`.trim()}</Badge>;
}

/** How it went, in a line. */
export function HeadLine({ head, bytes }: { head: Head; bytes?: number | undefined }) {
  const { bytes: size, number } = useFormat();
  const time = number(Math.round(head.milliseconds));
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <Status {...head} />
      <span>
        <Trans>{time} ms</Trans>
      </span>
      {bytes !== undefined && <span>{size(bytes)}</span>}
    </p>
  );
}

export function HeaderList({ headers }: Pick<Head, "headers">) {
  const count = headers.length;
  return (
    <details className="text-sm">
      <summary className="w-fit rounded-sm text-muted hover:text-ink pointer-coarse:py-2.5">
        <Plural value={count} one="# header" other="# headers" />
      </summary>
      <dl dir="ltr" className="mt-2 grid gap-x-4 gap-y-0.5 font-mono text-xs sm:grid-cols-[auto_1fr]">
        {headers.map(([name, value]) => (
          <div key={name} className="sm:col-span-2 sm:grid sm:grid-cols-subgrid">
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

interface AnswerProps {
  answered: Answered;
  /** What a saved file is called, without its ending. */
  name: string;
  /** Whether it is covered until somebody wants to see it. */
  isSecret: boolean;
}

export function Answer({ answered, name, isSecret }: AnswerProps) {
  const [isShown, setShown] = useState(!isSecret);
  return (
    <div className="grid min-w-0 gap-3">
      <HeadLine head={answered} bytes={answered.bytes} />
      <HeaderList headers={answered.headers} />
      {isShown ? (
        <Content answered={answered} name={name} />
      ) : (
        <Notice
          title={<Trans>The response contains a secret</Trans>}
          action={
            <Button size="sm" onClick={() => setShown(true)}>
              <Trans>Show response</Trans>
            </Button>
          }
        >
          <Trans>Whoever has it can get in. It is not stored here: it is gone once you leave this page.</Trans>
        </Notice>
      )}
    </div>
  );
}

function Content({ answered: { body, bytes, isTooLong }, name }: Omit<AnswerProps, "isSecret">) {
  const { t } = useLingui();
  const { bytes: size } = useFormat();
  const key = useId();
  const isText = isTextType(body.type);
  const text = useText(isText && bytes > 0 ? body : undefined, READ);
  const whole = useMemo(() => (text === undefined ? undefined : isJsonType(body.type) && bytes <= LAID_OUT ? laidOut(text) : text), [text, body, bytes]);
  const isCut = whole !== undefined && (whole.length > SHOWN || bytes > READ);
  const shown = isCut ? cut(whole) : whole;
  const most = size(MOST_BYTES);
  const shownSize = size(shown?.length ?? 0);
  const allSize = size(bytes);
  if (bytes === 0) {
    return (
      <p className="text-muted">
        <Trans>There is no body.</Trans>
      </p>
    );
  }
  return (
    <div className="grid min-w-0 gap-3">
      {isTooLong && (
        <Notice tone="warn">
          <Trans>The response is longer than {most}; the rest was not read. Use a program to get all of it.</Trans>
        </Notice>
      )}
      {isCut && (
        <Notice>
          <Trans>
            Only the beginning is shown, about {shownSize} of {allSize}. Copy or save the response to have all of it.
          </Trans>
        </Notice>
      )}
      {!isText && (
        <p className="text-muted">
          <Trans>This is not text. Save it to look at it.</Trans>
        </p>
      )}
      {isText && shown === undefined && <Skeleton className="h-24 w-full rounded-md" />}
      {shown !== undefined && (
        <CodeBox id={key} isInvalid={false} description={undefined} label={t`Response`} language={isJsonType(body.type) && !isCut ? "json" : "text"} verbatim readOnly value={shown} onChange={() => undefined} />
      )}
      <div className="flex flex-wrap gap-2">
        {isText && <CopyButton text={() => body.text()}>{isCut ? <Trans>Copy all</Trans> : <Trans>Copy</Trans>}</CopyButton>}
        <Button size="sm" icon={<Download />} onClick={() => save(body, `${name}${endingOf(body.type)}`)}>
          <Trans>Save</Trans>
        </Button>
      </div>
    </div>
  );
}

/** The beginning of a text, up to the end of a line where one is near. */
function cut(text: string): string {
  const part = text.slice(0, SHOWN);
  const end = part.lastIndexOf("\n");
  return `${end > SHOWN / 2 ? part.slice(0, end) : part}\n…`;
}

function endingOf(type: string): string {
  if (type.includes("ndjson")) return ".ndjson";
  return isJsonType(type) ? ".json" : isTextType(type) ? ".txt" : "";
}

function save(body: Blob, name: string): void {
  const url = URL.createObjectURL(body);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
