// Menus that drop down from a button.

import { DropdownMenu as Radix } from "radix-ui";
import type { ReactNode } from "react";

import { cx } from "~/lib/cx";

interface MenuProps {
  /** The button that opens it: a `Button` or an `IconButton`. */
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
}

// Not modal: Radix would lock scrolling by writing a style element, which the page's policy forbids.
export function Menu({ trigger, children, align = "end" }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 animate-enter overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-high"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const ITEM =
  "flex min-h-8 w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-start outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0";

interface ItemProps {
  children: ReactNode;
  icon?: ReactNode;
  onSelect?: () => void;
  danger?: boolean;
  disabled?: boolean;
  /** The child is a link and becomes the item. */
  asChild?: boolean;
}

export function MenuItem({ children, icon, onSelect, danger, disabled, asChild }: ItemProps) {
  return (
    <Radix.Item
      asChild={asChild}
      disabled={disabled}
      onSelect={() => onSelect?.()}
      className={cx(ITEM, danger ? "text-bad data-highlighted:bg-bad-soft" : "[&_svg]:text-muted")}
    >
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          <span className="grow">{children}</span>
        </>
      )}
    </Radix.Item>
  );
}

/** A choice of one among the items of a menu. */
export function MenuChoice({ value, options, onChange }: { value: string; options: { value: string; label: ReactNode; icon?: ReactNode }[]; onChange: (value: string) => void }) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={cx(ITEM, "[&_svg]:text-muted")}>
          {option.icon}
          <span className="grow">{option.label}</span>
          <Radix.ItemIndicator>
            <svg viewBox="0 0 16 16" aria-hidden>
              <path d="m3.5 8.5 3 3 6-7" fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" />
            </svg>
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 pt-2 pb-1 text-sm text-muted">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="mx-1 my-1 h-px bg-line" />;
}
