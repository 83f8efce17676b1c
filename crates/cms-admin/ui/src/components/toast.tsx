// Toasts: short news at the edge of the screen. They are read out, wait while they are pointed at, and F8 jumps to them.

import { useLingui } from "@lingui/react/macro";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useSyncExternalStore, type ReactNode } from "react";

import { messageOf } from "~/api/errors";
import { direction } from "~/lib/language";

import { Button, IconButton } from "./Button";

interface Toast {
  id: number;
  tone: "good" | "bad";
  text: ReactNode;
  action?: { label: string; onSelect: () => void } | undefined;
}

/** How long news stay. Failures stay longer: they need reading. */
const STAY = { good: 5_000, bad: 12_000 };

/** More than this many at once only hide the page. */
const MOST = 3;

let toasts: Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: Toast[]): void {
  toasts = next.slice(-MOST);
  listeners.forEach((listener) => listener());
}

function add(toast: Omit<Toast, "id">): void {
  change([...toasts, { ...toast, id: ++last }]);
}

export const toast = {
  /** Says that something was done, with an offer to take it back where that is possible. */
  good: (text: ReactNode, action?: Toast["action"]) => add({ tone: "good", text, action }),
  /** Says that something failed. Problems with a form belong in the form. */
  bad: (problem: unknown) => add({ tone: "bad", text: typeof problem === "string" ? problem : messageOf(problem) }),
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
    <Radix.Provider label={t`Notification`} swipeDirection={direction(i18n.locale) === "rtl" ? "left" : "right"}>
      {shown.map((toast) => (
        <Radix.Root
          key={toast.id}
          type={toast.tone === "bad" ? "foreground" : "background"}
          duration={STAY[toast.tone]}
          onOpenChange={(open) => !open && change(toasts.filter((other) => other.id !== toast.id))}
          className="pointer-events-auto flex animate-slide items-start gap-2.5 rounded-lg border border-line bg-raised py-2.5 ps-3.5 pe-2 shadow-high"
        >
          {toast.tone === "good" ? (
            <CircleCheck aria-hidden className="mt-1.5 size-[1.125rem] shrink-0 text-good" />
          ) : (
            <CircleAlert aria-hidden className="mt-1.5 size-[1.125rem] shrink-0 text-bad" />
          )}
          <Radix.Description className="min-w-0 grow py-1 break-words">{toast.text}</Radix.Description>
          {toast.action && (
            <Radix.Action asChild altText={toast.action.label}>
              <Button size="sm" variant="ghost" onClick={toast.action.onSelect}>
                {toast.action.label}
              </Button>
            </Radix.Action>
          )}
          <Radix.Close asChild>
            <IconButton size="sm" label={t`Dismiss`} icon={<X />} />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport
        label={`${t`Notifications`} ({hotkey})`}
        className="pointer-events-none fixed end-0 bottom-0 z-60 grid w-full gap-2 p-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:w-[26rem]"
      />
    </Radix.Provider>
  );
}
