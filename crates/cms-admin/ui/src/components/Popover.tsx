// A small panel that opens at a button: below it, or wherever there is room. On narrow screens it rises from the lower edge.

import { Dialog as RadixDialog, Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";

import { cx } from "~/lib/cx";
import { useIsNarrow } from "~/lib/useMedia";

interface PopoverProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that opens it. */
  trigger: ReactNode;
  /** What it is for: read out. */
  label: string;
  children: ReactNode;
  align?: "start" | "center" | "end";
  className?: string;
  /** Takes the place of what would get the focus first. */
  onOpenAutoFocus?: (event: Event) => void;
}

export function Popover({ open, onOpenChange, trigger, label, children, align = "start", className, onOpenAutoFocus }: PopoverProps) {
  const isNarrow = useIsNarrow();
  if (isNarrow) {
    return (
      <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
        <RadixDialog.Trigger asChild>{trigger}</RadixDialog.Trigger>
        <RadixDialog.Portal>
          <div data-modal className="fixed inset-0 z-50 animate-fade bg-scrim" />
          <RadixDialog.Content
            aria-modal
            aria-describedby={undefined}
            onOpenAutoFocus={onOpenAutoFocus}
            className={cx(
              "fixed inset-x-0 bottom-0 z-50 flex max-h-[85dvh] animate-slide flex-col overflow-y-auto rounded-t-xl border border-line bg-raised pb-[env(safe-area-inset-bottom)] shadow-high outline-none",
              className,
            )}
          >
            <RadixDialog.Title className="sr-only">{label}</RadixDialog.Title>
            {children}
          </RadixDialog.Content>
        </RadixDialog.Portal>
      </RadixDialog.Root>
    );
  }
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={onOpenAutoFocus}
          className={cx(
            "z-50 flex max-h-(--radix-popover-content-available-height) animate-enter flex-col overflow-y-auto rounded-lg border border-line bg-raised shadow-high outline-none",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
