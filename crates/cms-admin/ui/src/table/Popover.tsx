// A panel that opens beside a button, for a small choice or form.

import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface PopoverProps {
  /** What the panel is for: read out. */
  label: string;
  /** The button that opens it. */
  trigger: ReactNode;
  children: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

// Not modal: Radix would lock scrolling by writing a style element, which the page's policy forbids.
export function Popover({ label, trigger, children, ...state }: PopoverProps) {
  return (
    <Radix.Root {...state}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-popover-content-available-height) w-80 max-w-[calc(100vw-1rem)] animate-enter overflow-y-auto rounded-lg border border-line bg-raised shadow-high outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
