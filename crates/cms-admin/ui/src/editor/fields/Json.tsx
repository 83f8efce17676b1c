// Any value of JSON, as its text. What cannot be read yet stays as it was typed.

import { Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";

import { Button } from "~/components/Button";
import type { Mistake } from "~/components/code/mistake";
import { CodeBox } from "~/components/CodeField";
import { isSame } from "~/lib/same";

import { isUnread, unread } from "../model/values";
import { lookOf, type ControlProps } from "./shape";

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

export function JsonControl({ id, value, onChange, readOnly, field, isInvalid, description }: ControlProps) {
  // The text is kept as it was typed as long as it means the value.
  const [typed, setTyped] = useState<string>();
  const means = typed === undefined || typed.trim() === "" ? undefined : read(typed);
  const isOwn = typed !== undefined && (typed.trim() === "" ? value === null || value === undefined : means !== undefined && isSame(means.value, value));
  const text = isUnread(value) ? value.$typed : isOwn ? typed : written(value);
  const mistake = useMistake(isUnread(value) ? text : undefined);
  const isFormatted = isUnread(value) || text === written(value);

  function change(text: string) {
    setTyped(text);
    if (text.trim() === "") onChange(null);
    else {
      const result = read(text);
      onChange(result ? result.value : unread(text));
    }
  }

  return (
    <div className="grid min-w-0 gap-1.5">
      <CodeBox
        {...{ id, readOnly, isInvalid, description }}
        label={field.label}
        language="json"
        placeholder={lookOf(field).placeholder}
        value={text}
        onChange={change}
        footer={
          !readOnly && (
            // It stays in the order of focus, so that the keyboard does not lose its place.
            <Button size="sm" variant="ghost" aria-disabled={isFormatted || undefined} onClick={() => isFormatted || setTyped(undefined)}>
              <Trans>Format</Trans>
            </Button>
          )
        }
      />
      <p role="status" className="text-sm text-bad empty:sr-only">
        {mistake && <Place id={id} {...mistake} />}
      </p>
    </div>
  );
}

/** Where a text ceases to be JSON, as far as that is known by now. */
function useMistake(text: string | undefined): Mistake | undefined {
  const [mistake, setMistake] = useState<Mistake>();
  useEffect(() => {
    let isGone = false;
    const find = async () => (text === undefined ? undefined : (await import("~/components/code/mistake")).mistakeIn(text));
    // What finds it comes with the editor. Without that there is nothing to look at either.
    find().then((found) => isGone || setMistake(found), () => undefined);
    return () => {
      isGone = true;
    };
  }, [text]);
  return text === undefined ? undefined : mistake;
}

/** Where it ceases to be JSON, and the way there. */
function Place({ id, at, line, column }: { id: string; at: number; line: number; column: number }) {
  return (
    <button
      type="button"
      className="rounded-sm text-start underline underline-offset-2 pointer-coarse:min-h-11"
      onClick={() => void import("~/components/code/goTo").then(({ goTo }) => goTo(id, at))}
    >
      <Trans>
        This is not JSON yet: look at line {line}, column {column}.
      </Trans>
    </button>
  );
}
