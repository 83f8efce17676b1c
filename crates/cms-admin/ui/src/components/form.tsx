// Forms: values, what is dirty, sending, and the server's issues on the fields they are about.

import { useLingui } from "@lingui/react";
import { msg } from "@lingui/core/macro";
import { useBlocker } from "@tanstack/react-router";
import { useState, type ChangeEvent, type ReactNode, type SubmitEvent } from "react";

import { ApiError, messageOf, sentence } from "~/api/errors";
import { cx } from "~/lib/cx";

import { LeaveDialog } from "./LeaveDialog";
import { Notice } from "./Notice";

type Values = Record<string, unknown>;
type Errors<V> = Partial<Record<keyof V & string, string>>;
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Options<V extends Values> {
  /** What the server says. When that changes, fields that nobody touched follow it, and the others keep what was typed. */
  values: V;
  /** Problems that can be told before sending; the server decides all the same. */
  check?: (values: V) => Errors<V>;
  /** Sends the values. Thrown `ApiError`s land on their fields, or above the form. */
  submit: (values: V) => Promise<unknown>;
  /** Server paths whose field has another name here, as in `{ "user.email": "email" }`. */
  paths?: Record<string, keyof V & string>;
  /** The sentence for failures that are not the server's, as of passkeys. */
  explain?: (error: unknown) => string | undefined;
}

/** The state of a form. */
export function useForm<V extends Values>({ values: initial, check, submit, paths, explain }: Options<V>) {
  const { i18n } = useLingui();
  const [given, setGiven] = useState(initial);
  const [saved, setSaved] = useState(initial);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Errors<V>>({});
  const [problem, setProblem] = useState<string>();
  const [lastError, setLastError] = useState<unknown>();
  const [isSending, setSending] = useState(false);

  const changed = Object.keys(initial).filter((name) => !isSame(initial[name], given[name]));
  if (changed.length > 0) {
    const news = Object.fromEntries(changed.map((name) => [name, initial[name]]));
    const untouched = Object.fromEntries(Object.entries(news).filter(([name]) => isSame(values[name], saved[name])));
    setGiven(initial);
    setSaved({ ...saved, ...news });
    setValues({ ...values, ...untouched });
  }

  const isDirty = Object.keys(values).some((name) => !isSame(values[name], saved[name]));

  function set<N extends keyof V & string>(name: N, value: V[N]) {
    setValues((values) => ({ ...values, [name]: value }));
    setErrors((errors) => ({ ...errors, [name]: undefined }));
  }

  function showErrors(form: HTMLFormElement, errors: Errors<V>) {
    setErrors(errors);
    const first = Object.keys(errors)[0];
    // After the next paint the messages are there to be read out with their field.
    if (first) requestAnimationFrame(() => form.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus());
  }

  function take(form: HTMLFormElement, error: unknown) {
    setLastError(error);
    const found: Errors<V> = {};
    const rest: string[] = [];
    for (const issue of error instanceof ApiError ? error.issues : []) {
      const name = paths?.[issue.path] ?? issue.path.split(/[.[]/)[0] ?? "";
      if (name in values) found[name as keyof V & string] = sentence(issue.message);
      else rest.push(issue.path ? `${issue.path}: ${issue.message}` : sentence(issue.message));
    }
    showErrors(form, found);
    setProblem(rest.length > 0 ? rest.join(" ") : Object.keys(found).length > 0 ? undefined : (explain?.(error) ?? messageOf(error)));
  }

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    if (isSending) return;
    setProblem(undefined);
    const empty = missing(form, i18n._(msg`Fill in this field.`));
    const found = { ...empty, ...(check?.(values) ?? {}) } as Errors<V>;
    if (Object.values(found).some(Boolean)) {
      showErrors(form, found);
      return;
    }
    setErrors({});
    setSending(true);
    try {
      await submit(values);
      setSaved(values);
    } catch (error) {
      take(form, error);
    } finally {
      setSending(false);
    }
  }

  return {
    values,
    set,
    /** Whether anything differs from what was last sent. */
    isDirty,
    isSending,
    /** What is wrong with the whole. */
    problem,
    /** What the last try failed with. */
    lastError,
    errors,
    send,
    /** Back to what was last sent. */
    reset() {
      setValues(saved);
      setErrors({});
      setProblem(undefined);
    },
    /** What a text field, area or select needs. */
    field<N extends keyof V & string>(name: N) {
      return {
        name,
        value: (values[name] ?? "") as string,
        error: errors[name],
        onChange: (event: ChangeEvent<Control>) => set(name, event.target.value as V[N]),
      };
    },
    /** What a checkbox needs. */
    box<N extends keyof V & string>(name: N) {
      return { name, checked: Boolean(values[name]), onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.target.checked as V[N]) };
    },
  };
}

/** Whether two values of a field are the same. A choice of several is a list, whose order says nothing. */
function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((part) => other.includes(part));
}

export type FormState = Pick<ReturnType<typeof useForm>, "problem" | "send" | "isDirty" | "isSending">;

/** Required fields that are empty, said in the application's language instead of the browser's bubbles. */
function missing(form: HTMLFormElement, text: string): Record<string, string> {
  const controls = [...form.elements].filter((control): control is Control => "willValidate" in control && "name" in control);
  return Object.fromEntries(controls.filter((control) => control.name && control.validity.valueMissing).map((control) => [control.name, text]));
}

interface FormProps {
  form: FormState;
  children: ReactNode;
  className?: string;
  /** Asks before leaving with changes that were not sent. */
  guarded?: boolean;
}

/** A form: problems with the whole on top, then its fields. */
export function Form({ form, children, className, guarded = false }: FormProps) {
  return (
    <form onSubmit={(event) => void form.send(event)} noValidate className={cx("grid gap-5", className)}>
      {guarded && <LeaveGuard isDirty={form.isDirty && !form.isSending} />}
      {form.problem && <Notice tone="bad">{form.problem}</Notice>}
      {children}
    </form>
  );
}

/** Asks before leaving with changes that were not saved: another screen, a reload, a closed tab. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: () => isDirty, withResolver: true });
  return <LeaveDialog blocker={blocker} />;
}
