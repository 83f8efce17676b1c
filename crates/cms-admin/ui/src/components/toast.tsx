// Toasts: short news at the edge of the screen. They are read out, wait while they are pointed at, and F8 jumps to them.

import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useState, useSyncExternalStore, type ReactNode } from "react";

import { messageOf } from "~/api/errors";
import { cx } from "~/lib/cx";
import { direction } from "~/lib/language";
import { useCountdown } from "~/lib/useCountdown";

import { Button, IconButton } from "./Button";

interface Toast {
  id: number;
  tone: "good" | "bad";
  text: ReactNode;
  action?: Action | undefined;
  /** Milliseconds until it goes. */
  stay: number;
  /** What it is about. */
  of?: string | undefined;
}

interface Action {
  label: string;
  onSelect: () => void;
}

/** How long news stay. Failures stay longer: they need reading. What can be undone stays until that was noticed. */
const STAY = { good: 5_000, bad: 12_000, undo: 10_000 };

/** More than this many at once only hide the page. */
const MOST = 3;

let toasts: Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: Toast[]): void {
  toasts = next.slice(-MOST);
  listeners.forEach((listener) => listener());
}

/** Newer news take the place of those that only said that something was done, and of older ones of the same thing. */
function add(toast: Omit<Toast, "id">): void {
  change([...toasts.filter(({ tone, action, of }) => (tone === "bad" || action) && (of === undefined || of !== toast.of)), { ...toast, id: ++last }]);
}

function remove(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

export const toast = {
  /** Says that something was done, with an offer to go on from there. */
  good: (text: ReactNode, action?: Action) => add({ tone: "good", text, action, stay: action ? STAY.undo : STAY.good }),
  /** Says that something was done that can be taken back for a while. The time stands still while it is looked at, or while a dialog is open. */
  undo: (text: ReactNode, onUndo: () => void, stay = STAY.undo, of?: string) => add({ tone: "good", text, action: { label: i18n._(msg`Undo`), onSelect: onUndo }, stay, of }),
  /** Says that something failed. Problems with a form belong in the form. */
  bad: (problem: unknown) => add({ tone: "bad", text: typeof problem === "string" ? problem : messageOf(problem), stay: STAY.bad }),
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear; once, at the root. */
export function Toasts() {
  const { t, i18n } = useLingui();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <Radix.Provider label={t`Notification`} swipeDirection={direction(i18n.locale) === "rtl" ? "right" : "left"}>
      {shown.map((toast) => (
        <Shown key={toast.id} toast={toast} />
      ))}
      <Radix.Viewport
        label={`${t`Notifications`} ({hotkey})`}
        // Dialogs hide all of the page from screen readers but what is live.
        aria-live="off"
        // Where least is pressed: what a screen, a panel or a dialog is for stands at the end side; on a phone a dialog has it at the lower edge, and a panel its way out at the upper one.
        className="pointer-events-none fixed start-0 bottom-0 z-60 grid w-full gap-2 p-4 pb-[max(1rem,env(safe-area-inset-bottom))] max-sm:in-[:has([data-modal])]:top-(--header-height) max-sm:in-[:has([data-modal])]:bottom-auto sm:w-[26rem]"
      />
    </Radix.Provider>
  );
}

function Shown({ toast }: { toast: Toast }) {
  const { t } = useLingui();
  const [isHeld, setHeld] = useState(false);
  const left = useCountdown(toast.stay, isHeld, () => remove(toast.id));
  const Icon = toast.tone === "good" ? CircleCheck : CircleAlert;
  return (
    <Radix.Root
      type={toast.tone === "bad" ? "foreground" : "background"}
      duration={Infinity}
      onPause={() => setHeld(true)}
      onResume={() => setHeld(false)}
      onOpenChange={(open) => !open && remove(toast.id)}
      className="pointer-events-auto relative flex animate-slide items-start gap-2.5 overflow-hidden rounded-lg border border-line bg-raised py-2.5 ps-3.5 pe-2 shadow-high"
    >
      <Icon aria-hidden className={cx("mt-1.5 size-[1.125rem] shrink-0", toast.tone === "good" ? "text-good" : "text-bad")} />
      <Radix.Description className="min-w-0 grow py-1 break-words">{toast.text}</Radix.Description>
      {toast.action && (
        <Radix.Action asChild altText={toast.action.label}>
          <Button size="sm" variant="ghost" className="text-accent-ink" onClick={toast.action.onSelect}>
            {toast.action.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton size="sm" label={t`Dismiss`} icon={<X />} />
      </Radix.Close>
      {toast.action && <span aria-hidden data-left style={{ transform: `scaleX(${left})` }} className="absolute inset-x-0 bottom-0 h-0.5 origin-left bg-accent transition-transform duration-200 ease-linear rtl:origin-right" />}
    </Radix.Root>
  );
}
