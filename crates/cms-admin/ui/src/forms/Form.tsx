// The form itself: problems with the whole on top, then its fields; and the question before what was typed is left behind.

import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef, type ReactNode } from "react";

import { Notice } from "~/components/Notice";
import { cx } from "~/lib/cx";

import { LeaveDialog } from "./LeaveDialog";
import type { FormState } from "./useForm";

interface FormProps {
  form: FormState;
  children: ReactNode;
  className?: string;
  /** Asks before leaving with changes that were not sent. */
  guarded?: boolean;
}

export function Form({ form, children, className, guarded = false }: FormProps) {
  return (
    <form onSubmit={(event) => void form.send(event)} noValidate className={cx("grid gap-5", className)}>
      {guarded && <LeaveGuard isDirty={form.isDirty && !form.isSending} />}
      {form.problem && <Problem>{form.problem}</Problem>}
      {children}
    </form>
  );
}

/** What is wrong with the whole, in sight: whoever sent a long form is at its end. */
function Problem({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Some browsers answer with a promise, which is nothing to clean up with.
    place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={place} className="scroll-mt-[calc(var(--header-height)+1rem)] scroll-mb-24">
      <Notice tone="bad">{children}</Notice>
    </div>
  );
}

/** Asks before leaving with changes that were not saved: another screen, a reload, a closed tab. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    // What only changes the search of this screen, as a dialog that is in the address, leaves nothing behind.
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return <LeaveDialog blocker={blocker} />;
}
