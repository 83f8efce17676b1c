// Any value of JSON, as its text. What cannot be read yet stays as it was typed, and so does a number that JavaScript would change (RFC 8259, section 6).

import { Trans } from "@lingui/react/macro";
import { Suspense, use, useMemo, useState, type ReactNode } from "react";

import { Button } from "~/components/Button";
import { CodeBox } from "~/components/CodeField";
import { Notice } from "~/components/Notice";
import { Skeleton } from "~/components/states";
import { hasInexact } from "~/lib/exact";
import { patiently } from "~/lib/lazily";
import { isSame } from "~/lib/same";

import { isUnread, unread } from "../model/values";
import { lookOf, type ControlProps } from "./shape";

let parser: Promise<typeof import("~/components/code/mistake")> | undefined;

/** What knows JSON comes with the editor of it: nobody types before it is there. */
const parserOfJson = () => (parser ??= patiently(() => import("~/components/code/mistake")));

/** As much of a number as is told, in characters. */
const TOLD = 40;

function read(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function written(value: unknown): string {
  return value === undefined || value === null ? "" : JSON.stringify(value, undefined, 2);
}

export function JsonControl(props: ControlProps) {
  return (
    <Suspense fallback={<Skeleton className="h-24 w-full rounded-md" />}>
      <Box {...props} />
    </Suspense>
  );
}

function Box({ id, value, onChange, readOnly, field, isInvalid, description }: ControlProps) {
  const { mistakeIn, inexactIn } = use(parserOfJson());
  // The text is kept as it was typed as long as it means the value.
  const [typed, setTyped] = useState<string>();
  const means = typed === undefined || typed.trim() === "" ? undefined : read(typed);
  const isOwn = typed !== undefined && (typed.trim() === "" ? value === null || value === undefined : means !== undefined && isSame(means.value, value));
  const text = isUnread(value) ? value.$typed : isOwn ? typed : written(value);
  const isFormatted = isUnread(value) || text === written(value);
  const isRounded = useMemo(() => !isUnread(value) && hasInexact(value), [value]);
  const unreadText = isUnread(value) ? text : undefined;
  const mistake = useMemo(() => (unreadText === undefined ? undefined : mistakeIn(unreadText)), [unreadText, mistakeIn]);
  const inexact = useMemo(() => (unreadText === undefined || mistake ? undefined : inexactIn(unreadText)), [unreadText, mistake, inexactIn]);

  function change(text: string) {
    setTyped(text);
    if (text.trim() === "") onChange(null);
    else {
      const result = inexactIn(text) ? undefined : read(text);
      onChange(result ? result.value : unread(text));
    }
  }

  return (
    <div className="grid min-w-0 gap-1.5">
      {isRounded && (
        <Notice title={<Trans>This can only be read here</Trans>}>
          <Trans>It has a number that browsers cannot keep exactly, and show rounded. A program can change it through the API.</Trans>
        </Notice>
      )}
      <CodeBox
        {...{ id, isInvalid, description }}
        readOnly={readOnly || isRounded}
        label={field.label}
        language="json"
        placeholder={lookOf(field).placeholder}
        value={text}
        onChange={change}
        footer={
          !readOnly &&
          !isRounded && (
            // It stays in the order of focus, so that the keyboard does not lose its place.
            <Button size="sm" variant="ghost" aria-disabled={isFormatted || undefined} onClick={() => isFormatted || setTyped(undefined)}>
              <Trans>Format</Trans>
            </Button>
          )
        }
      />
      <p role="status" className="text-sm text-bad empty:sr-only">
        {mistake && (
          <Place id={id} at={mistake.at}>
            <NotYet {...mistake} />
          </Place>
        )}
        {inexact && (
          <Place id={id} at={inexact.at}>
            <Inexact literal={inexact.literal} />
          </Place>
        )}
      </p>
    </div>
  );
}

/** Where it ceases to be JSON. */
function NotYet({ line, column }: { line: number; column: number }) {
  return (
    <Trans>
      This is not JSON yet: look at line {line}, column {column}.
    </Trans>
  );
}

/** What to do about a number that would become another one. */
function Inexact({ literal }: { literal: string }) {
  const number = literal.length > TOLD ? `${literal.slice(0, TOLD)}…` : literal;
  const text = `"${number}"`;
  return (
    <Trans>
      {number} would be kept as another number. Write it as a text, {text}, to keep it exactly.
    </Trans>
  );
}

/** Where something is wrong, and the way there. */
function Place({ id, at, children }: { id: string; at: number; children: ReactNode }) {
  return (
    <button
      type="button"
      className="rounded-sm text-start break-words underline underline-offset-2 pointer-coarse:min-h-11"
      onClick={() => void import("~/components/code/goTo").then(({ goTo }) => goTo(id, at))}
    >
      {children}
    </button>
  );
}
