// Numbers. An empty box is no value, and never nothing; what cannot be read as a number stays as it was typed.

import { useLingui } from "@lingui/react/macro";
import { useState, type KeyboardEvent } from "react";

import { isUnread, unread } from "../model/values";
import { LINE } from "./control";
import type { ControlProps } from "./shape";
import { attributes, textOf } from "./Text";

/** Digits of other scripts than the Latin one, by the first of each. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6];

/** The number that somebody typed in a language; nothing when it is none. */
export function numberIn(text: string, language: string): number | undefined {
  const decimal = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? ".";
  const latin = [...text.trim()].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    const zero = ZEROS.find((zero) => code >= zero && code < zero + 10);
    return zero === undefined ? character : String(code - zero);
  });
  const plain = latin
    .join("")
    .replace(decimal, ".")
    .replace("٫", ".")
    .replace("−", "-");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) && Number.isFinite(Number(plain)) ? Number(plain) : undefined;
}

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
