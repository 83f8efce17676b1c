// A field for JSON and code. The editor is fetched when there is one on the screen.

import { Suspense, type ReactNode } from "react";

import { cx } from "~/lib/cx";
import { lazily } from "~/lib/lazily";

import { Field } from "./Field";
import { Skeleton } from "./states";

const CodeEditor = lazily(() => import("./code/CodeEditor").then((of) => of.default));

export interface CodeProps {
  label: string;
  /** `json`, `css`, `html`, `javascript`, `typescript`; any other is text. */
  language: string;
  value: string;
  onChange: (value: string) => void;
  readOnly?: boolean;
  placeholder?: string | undefined;
  /** Of JSON: the text itself is kept, so that a number may be longer than JavaScript can have it. */
  verbatim?: boolean;
}

interface Framed {
  /** Below the editor, at the end: a button that puts it in order, say. */
  footer?: ReactNode;
}

interface CodeFieldProps extends CodeProps, Framed {
  hint?: string | undefined;
  error?: string | undefined;
  optional?: boolean;
}

export function CodeField({ hint, error, optional, ...box }: CodeFieldProps) {
  return (
    <Field {...{ label: box.label, hint, error, optional }} className="[--container-control:100%]">
      {(control) => <CodeBox {...box} id={control.id} isInvalid={Boolean(error)} description={[hint, error].filter(Boolean).join(" ") || undefined} />}
    </Field>
  );
}

interface CodeBoxProps extends CodeProps, Framed {
  id: string;
  isInvalid: boolean;
  /** What is said of it to those who hear it. */
  description: string | undefined;
}

/** The editor alone, where something else draws the field around it. */
export function CodeBox({ footer, ...editor }: CodeBoxProps) {
  return (
    <div
      onClick={(event) => event.target === event.currentTarget && document.getElementById(editor.id)?.focus()}
      className={cx(
        "min-w-0 overflow-hidden rounded-md border bg-surface shadow-low focus-within:border-focus focus-within:outline-2 focus-within:outline-focus",
        editor.isInvalid ? "border-bad" : "border-line-strong",
        editor.readOnly && "bg-sunken",
      )}
    >
      <Suspense fallback={<Skeleton className="h-24 w-full rounded-none" />}>
        <CodeEditor {...editor} />
      </Suspense>
      {footer && <div className="flex justify-end border-t border-line px-2 py-1.5">{footer}</div>}
    </div>
  );
}
