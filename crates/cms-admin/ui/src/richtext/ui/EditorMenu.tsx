// A menu of the editor: after a choice the keyboard is in the text again, after Escape where it was.

import { DropdownMenu as Radix } from "radix-ui";
import { useRef, type ReactNode } from "react";

import { FocusReturn } from "~/components/FocusReturn";
import { MenuItem } from "~/components/Menu";

import { useEditor } from "./context";

interface EditorMenuProps {
  trigger: ReactNode;
  children: (choose: (run: () => void) => () => void) => ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: "start" | "end";
}

export function EditorMenu({ trigger, children, open, onOpenChange, align = "start" }: EditorMenuProps) {
  const controller = useEditor();
  const isChosen = useRef(false);
  const choose = (run: () => void) => () => {
    isChosen.current = true;
    run();
  };
  return (
    <Radix.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            if (!isChosen.current) return;
            isChosen.current = false;
            event.preventDefault();
            // What was chosen may have opened something of its own, which then has the keyboard.
            if (document.activeElement === document.body) controller.view.focus();
          }}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 animate-enter overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-high"
        >
          {/* A menu that was opened by a key hangs from nothing that takes the keyboard. */}
          <FocusReturn />
          {children(choose)}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function KeyHint({ keys, children }: { keys?: string | undefined; children: ReactNode }) {
  return (
    <span className="flex items-center justify-between gap-6">
      {children}
      {keys && (
        <kbd dir="ltr" className="font-sans text-xs text-faint">
          {keys}
        </kbd>
      )}
    </span>
  );
}

export { MenuItem };
