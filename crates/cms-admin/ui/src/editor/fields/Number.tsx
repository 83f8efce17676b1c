// Numbers. An empty box is no value, and never nothing; what cannot be read as a number stays as it was typed.

import { useLingui } from "@lingui/react/macro";
import { useState, type KeyboardEvent } from "react";

import { isUnread, unread } from "../model/values";
import { LINE } from "./control";
import { numberIn } from "./numbers";
import type { ControlProps } from "./shape";
import { attributes, textOf } from "./Text";

export function NumberControl(props: ControlProps) {
  const { i18n } = useLingui();
  const { value, field, onChange, readOnly } = props;
  const isWhole = field.type === "integer";
  // What is in the box as long as it means the value: “1.” and “1.50” are not rewritten under the cursor.
  const [typed, setTyped] = useState<string>();
  const shown = isUnread(value) ? value.$typed : textOf(value);
  const text = typed !== undefined && numberIn(typed, i18n.locale) === value ? typed : shown;

  function change(text: string) {
    setTyped(text);
    const number = numberIn(text, i18n.locale);
    if (text.trim() === "") onChange(null);
    else onChange(number === undefined ? unread(text) : number);
  }

  function step(event: KeyboardEvent<HTMLInputElement>) {
    const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (by === undefined || readOnly || event.altKey || event.ctrlKey || event.metaKey) return;
    const now = typeof value === "number" ? value : text === "" ? 0 : undefined;
    if (now === undefined) return;
    event.preventDefault();
    const { min, max } = field.validation;
    const next = Math.min(Math.max(Number((now + by).toPrecision(15)), min ?? -Infinity), max ?? Infinity);
    setTyped(undefined);
    onChange(next);
  }

  return (
    <input
      type="text"
      inputMode={isWhole && (field.validation.min ?? -1) >= 0 ? "numeric" : "decimal"}
      autoComplete="off"
      className={`${LINE} tabular-nums sm:max-w-60`}
      {...attributes(props)}
      value={text}
      onChange={(event) => change(event.target.value)}
      onKeyDown={step}
    />
  );
}
