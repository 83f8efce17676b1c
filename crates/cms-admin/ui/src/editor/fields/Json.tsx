// Any value of JSON, as its text. What cannot be read yet stays as it was typed.

import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { Button } from "~/components/Button";
import { isSame } from "~/lib/same";

import { isUnread, unread } from "../model/values";
import { AREA } from "./control";
import { lookOf, type ControlProps } from "./shape";
import { attributes } from "./Text";

function read(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function written(value: unknown): string {
  return value === undefined || value === null ? "" : JSON.stringify(value, undefined, 2);
}

export function JsonControl(props: ControlProps) {
  const { value, onChange, readOnly, field } = props;
  // The text is kept as it was typed as long as it means the value.
  const [typed, setTyped] = useState<string>();
  const means = typed === undefined || typed.trim() === "" ? undefined : read(typed);
  const isOwn = typed !== undefined && (typed.trim() === "" ? value === null || value === undefined : means && "value" in means && isSame(means.value, value));
  const text = isUnread(value) ? value.$typed : isOwn ? typed : written(value);
  const problem = isUnread(value) ? read(text) : undefined;

  function change(text: string) {
    setTyped(text);
    if (text.trim() === "") onChange(null);
    else {
      const result = read(text);
      onChange("value" in result ? result.value : unread(text));
    }
  }

  return (
    <div className="grid gap-1.5">
      <textarea
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        className={`${AREA} field-sizing-content max-h-[60dvh] min-h-24 resize-y font-mono text-sm! [tab-size:2]`}
        rows={lookOf(field).rows ?? 6}
        {...attributes(props)}
        dir="ltr"
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      {problem && "problem" in problem && (
        <p role="status" dir="ltr" className="font-mono text-sm break-words text-bad">
          {problem.problem}
        </p>
      )}
      {!readOnly && !problem && text !== "" && text !== written(value) && (
        <span>
          <Button size="sm" variant="ghost" onClick={() => setTyped(undefined)}>
            <Trans>Tidy up</Trans>
          </Button>
        </span>
      )}
    </div>
  );
}
