// What somebody wrote and the server does not have, to be read and copied where there is no field for it.

import { Trans, useLingui } from "@lingui/react/macro";
import { Check, Copy } from "lucide-react";
import { useId, useRef, useState } from "react";

import { Button } from "~/components/Button";
import type { Values } from "~/editing/merge";

import { AREA } from "./fields/control";
import { useWhole } from "./fields/Shown";
import type { FieldType } from "./fields/shape";
import { isEmpty, type Field } from "./model/values";

/** The most lines of a text that are in sight. */
const LINES = 8;

interface WordsProps {
  values: Values;
  /** What is known of their fields. */
  fields: readonly Field[];
  nameOf: (path: string) => string;
}

export function Words({ values, fields, nameOf }: WordsProps) {
  const show = useWhole();
  const typeOf = (name: string, value: unknown) => fields.find(({ slug }) => slug === name)?.type ?? typeLike(value);
  return (
    <ul className="mt-1.5 grid gap-3">
      {Object.entries(values)
        .filter(([, value]) => !isEmpty(value))
        .map(([name, value]) => (
          <li key={name}>
            <Text name={nameOf(name)} text={show(value, typeOf(name, value))} />
          </li>
        ))}
    </ul>
  );
}

/** The type of field that a value may have been of, as far as that makes it readable. */
function typeLike(value: unknown): FieldType | undefined {
  const isBlock = (part: unknown) => typeof part === "object" && part !== null && "_type" in part;
  return Array.isArray(value) && value.some(isBlock) ? "portableText" : undefined;
}

function Text({ name, text }: { name: string; text: string }) {
  const { t } = useLingui();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    } catch {
      // Without the right to the clipboard the text is selected, ready for the keyboard.
      area.current?.focus();
      area.current?.select();
    }
  }

  return (
    <div className="grid gap-1">
      <span className="flex items-center justify-between gap-3">
        <label htmlFor={id} dir="auto" className="min-w-0 font-medium break-words">
          {name}
        </label>
        <Button size="sm" icon={isCopied ? <Check className="text-good" /> : <Copy />} aria-label={t`Copy ${name}`} onClick={() => void copy()}>
          <Trans>Copy</Trans>
        </Button>
      </span>
      <textarea ref={area} id={id} readOnly dir="auto" rows={Math.min(text.split("\n").length, LINES)} className={`${AREA} field-sizing-content max-h-48 resize-y`} value={text} />
      <span role="status" className="sr-only">
        {isCopied ? t`Copied` : ""}
      </span>
    </div>
  );
}
