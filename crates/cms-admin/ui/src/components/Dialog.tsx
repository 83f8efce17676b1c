// Dialogs: a question or a small form above the page. The keyboard stays inside; Escape closes; focus goes back to where it was.

import { useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";

import { cx } from "~/lib/cx";

import { IconButton } from "./Button";
import { FocusReturn } from "./FocusReturn";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** `alertdialog` for questions that must be answered: a click beside it does not close it. */
  role?: "dialog" | "alertdialog";
  size?: "sm" | "md" | "lg" | "xl";
  /** While work is under way nothing closes it. */
  locked?: boolean;
}

const SIZES = { sm: "sm:max-w-md", md: "sm:max-w-lg", lg: "sm:max-w-2xl", xl: "sm:max-w-4xl" };

export function Dialog({ open, onOpenChange, title, description, children, role = "dialog", size = "sm", locked }: DialogProps) {
  const { t } = useLingui();
  return (
    <Radix.Root open={open} onOpenChange={(open) => (locked ? undefined : onOpenChange(open))}>
      <Radix.Portal>
        {/* Not Radix's own overlay: that one writes style elements, which the page's policy forbids. */}
        <div data-modal className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <div className="pointer-events-none fixed inset-0 z-50 grid items-end justify-items-center overflow-y-auto sm:items-center sm:p-6">
          <Radix.Content
            role={role}
            aria-modal
            {...(description ? {} : { "aria-describedby": undefined })}
            onInteractOutside={(event) => role === "alertdialog" && event.preventDefault()}
            className={cx(
              "pointer-events-auto relative w-full animate-slide rounded-t-xl border border-line bg-raised p-5 shadow-high outline-none sm:animate-enter sm:rounded-xl sm:p-6",
              "pb-[max(1.25rem,env(safe-area-inset-bottom))] max-sm:max-h-[92dvh] max-sm:overflow-y-auto",
              SIZES[size],
            )}
          >
            <FocusReturn />
            <Radix.Title className="pe-8 text-lg font-semibold">{title}</Radix.Title>
            {description && <Radix.Description className="mt-1.5 text-muted">{description}</Radix.Description>}
            {children && <div className="mt-5">{children}</div>}
            {role === "dialog" && (
              <Radix.Close asChild>
                <IconButton label={t`Close`} icon={<X />} size="sm" disabled={locked} className="absolute! end-3.5 top-3.5" />
              </Radix.Close>
            )}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The buttons at the end of a dialog: the last one is the one that is meant. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end [&>*]:max-sm:w-full">{children}</div>;
}
