// A field for JSON and code. The editor is fetched when there is one on the screen.

import { lazy, Suspense, type ReactNode } from "react";

import { cx } from "~/lib/cx";

import { Field } from "./Field";
import { Skeleton } from "./states";

const CodeEditor = lazy(() => import("./code/CodeEditor"));

export interface CodeFieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  optional?: boolean;
  /** `json`, `css`, `html`, `javascript`, `typescript`; any other is text. */
  language: string;
  value: string;
  onChange: (value: string) => void;
  readOnly?: boolean;
  placeholder?: string;
  /** Below the editor, at the end: a button that tidies up, say. */
  footer?: ReactNode;
}

export function CodeField({ label, hint, error, optional, footer, ...editor }: CodeFieldProps) {
  return (
    <Field {...{ label, hint, error, optional }} className="[--container-control:100%]">
      {(control) => (
        <div
          onClick={(event) => event.target === event.currentTarget && document.getElementById(control.id)?.focus()}
          className={cx(
            "overflow-hidden rounded-md border bg-surface shadow-low focus-within:border-focus focus-within:outline-2 focus-within:outline-focus",
            error ? "border-bad" : "border-line-strong",
            editor.readOnly && "bg-sunken",
          )}
        >
          <Suspense fallback={<Skeleton className="h-24 w-full rounded-none" />}>
            <CodeEditor {...editor} id={control.id} label={label} isInvalid={Boolean(error)} describedBy={[hint, error].filter(Boolean).join(" ") || undefined} />
          </Suspense>
          {footer && <div className="flex justify-end border-t border-line px-2 py-1.5">{footer}</div>}
        </div>
      )}
    </Field>
  );
}
