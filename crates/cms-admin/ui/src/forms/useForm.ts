// The state of a form: values by path, what is dirty, sending, and the server's issues on the fields they are about.

import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react";
import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore, type ChangeEvent, type SubmitEvent } from "react";
import { useForm as useStore, useFormState, useWatch, type DefaultValues, type FieldErrors, type FieldValues, type Path, type PathValue } from "react-hook-form";

import { ApiError, messageOf } from "~/api/errors";
import { isSame } from "~/lib/same";

import { focusFirst, mistakes } from "./controls";
import { issueText } from "./issueText";
import { at, changes, normal, withAt } from "./paths";

/** What is wrong, by path. */
type Problems = Record<string, string | undefined>;

interface Options<V extends FieldValues> {
  /** What the server says. When that changes, what nobody touched follows it, and all else stays as it was typed. */
  values: V;
  /** Problems that can be told before sending; the server decides all the same. */
  check?: (values: V) => Problems;
  /** Sends the values. Thrown `ApiError`s land on their fields, or above the form. */
  submit: (values: V) => Promise<unknown>;
  /** Server paths whose field has another name here, as in `{ "user.email": "email" }`. */
  paths?: Record<string, string>;
  /** The sentence for failures that are not the server's, as of passkeys. */
  explain?: (error: unknown) => string | undefined;
  /** Its fields draw themselves by `useField`, and `values` stands still: for forms of which one key must not draw all. */
  isLarge?: boolean;
}

export function useForm<V extends FieldValues>({ values: given, check, submit, paths, explain, isLarge = false }: Options<V>) {
  const { i18n } = useLingui();
  const { control, getValues, setValue, setError, clearErrors, subscribe } = useStore<V>({ defaultValues: given as DefaultValues<V> });
  const { errors } = useFormState({ control });
  // What the form counts as saved, and what the server said last: what was sent may be shown by the server only later.
  const [saved, setSaved] = useState(given);
  const [known, setKnown] = useState(given);
  const values = useWatch({ control, disabled: isLarge }) as V;
  const isDirty = useSyncExternalStore(
    useCallback((callback: () => void) => subscribe({ formState: { values: true }, callback }), [subscribe]),
    () => !isSame(getValues(), saved),
  );
  const [problem, setProblem] = useState<string>();
  const [lastError, setLastError] = useState<unknown>();
  const [isSending, setSending] = useState(false);

  const follow = useEffectEvent(() => {
    const news = changes(known, given);
    if (news.length === 0) return;
    const mine = getValues();
    setKnown(given);
    setSaved(news.reduce((saved, [path, value]) => withAt(saved, path, value), saved));
    for (const [path, value] of news) if (isSame(at(mine, path), at(saved, path))) put(path, value);
  });
  // eslint-disable-next-line react-hooks/set-state-in-effect -- the store is changed in the same step, which drawing must not do
  useEffect(() => follow(), [given]);

  function put(path: string, value: unknown) {
    setValue(path as Path<V>, value as PathValue<V, Path<V>>);
  }

  function set<P extends Path<V>>(path: P, value: PathValue<V, P>) {
    put(path, value);
    // Whoever is told draws anew: only when there is something to tell.
    if (at(control._formState.errors, path) !== undefined) clearErrors(path);
  }

  function refuse(form: HTMLFormElement, problems: Problems) {
    const told = Object.entries(problems).filter((entry): entry is [string, string] => Boolean(entry[1]));
    for (const [path, message] of told) setError(path as Path<V>, { message });
    focusFirst(form, told.map(([path]) => path));
  }

  function take(form: HTMLFormElement, error: unknown) {
    setLastError(error);
    const found: Problems = {};
    const rest: string[] = [];
    for (const issue of error instanceof ApiError ? error.issues : []) {
      const path = paths?.[issue.path] ?? normal(issue.path);
      const root = path.split(".")[0] ?? "";
      if (root in getValues()) found[path] ??= issueText(issue);
      else rest.push(issue.path ? `${issue.path}: ${issueText(issue)}` : issueText(issue));
    }
    refuse(form, found);
    setProblem(rest.length > 0 ? rest.join(" ") : Object.keys(found).length > 0 ? undefined : (explain?.(error) ?? messageOf(error)));
  }

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    if (isSending) return;
    setProblem(undefined);
    clearErrors();
    const sent = structuredClone(getValues());
    const found = { ...mistakes(form, i18n._(msg`Fill in this field.`)), ...check?.(sent) };
    if (Object.values(found).some(Boolean)) {
      refuse(form, found);
      return;
    }
    setSending(true);
    try {
      await submit(sent);
      setSaved(sent);
    } catch (error) {
      take(form, error);
    } finally {
      setSending(false);
    }
  }

  return {
    /** For `useField` and `useList`. */
    control,
    values,
    set,
    /** Whether anything differs from what was last sent. */
    isDirty,
    /** Whether the value at a path does. */
    isDirtyAt: (path: Path<V>) => !isSame(at(getValues(), path), at(saved, path)),
    isSending,
    /** What is wrong with the whole. */
    problem,
    /** What the last try failed with. */
    lastError,
    /** What is wrong at a path, or within it. */
    error: (path: Path<V>) => messageIn(at(errors, path)),
    send,
    /** Back to what was last sent. */
    reset: () => {
      for (const [path, value] of changes(getValues(), saved)) put(path, value);
      clearErrors();
      setProblem(undefined);
    },
    /** What a text field, area or select needs. */
    field<P extends Path<V>>(path: P) {
      return {
        name: path,
        value: (at(values, path) ?? "") as string,
        error: messageIn(at(errors, path)),
        onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => set(path, event.target.value as PathValue<V, P>),
      };
    },
    /** What a checkbox needs. */
    box<P extends Path<V>>(path: P) {
      return { name: path, checked: Boolean(at(values, path)), onChange: (event: ChangeEvent<HTMLInputElement>) => set(path, event.target.checked as PathValue<V, P>) };
    },
  };
}

export type FormState = Pick<ReturnType<typeof useForm>, "problem" | "send" | "isDirty" | "isSending">;

/** The first message in what is wrong at a place: its own, or that of something in it. */
export function messageIn(errors: unknown): string | undefined {
  if (typeof errors !== "object" || errors === null) return undefined;
  const { message } = errors as FieldErrors;
  if (typeof message === "string") return message;
  return Object.values(errors).map(messageIn).find((message) => message !== undefined);
}
