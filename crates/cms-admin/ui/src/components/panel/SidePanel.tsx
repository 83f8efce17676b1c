// A panel at the end side of a screen. On wide screens it stands beside the content and can be made wider; on narrow ones it rises above it.

import { useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useId, useRef, type ReactNode } from "react";

import { IconButton } from "~/components/Button";
import { FocusReturn } from "~/components/FocusReturn";
import { useMedia } from "~/lib/useMedia";

import { Resizer } from "./Resizer";
import { useWidth } from "./useWidth";

interface SidePanelProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Stays at the lower edge. */
  footer?: ReactNode;
  children: ReactNode;
  /** Remembers the width under this name. */
  widthKey?: string;
  /** How wide it is until somebody makes it wider, in rem. */
  usualWidth?: number;
}

/** Put it last into a row, as in `<div className="flex">…<SidePanel/></div>`. */
export function SidePanel(props: SidePanelProps) {
  const isWide = useMedia("(width >= 64rem)");
  if (isWide) return props.open && <Aside {...props} />;
  return <Sheet {...props} />;
}

function Aside({ onOpenChange, title, footer, children, widthKey = "panel", usualWidth }: SidePanelProps) {
  const { t } = useLingui();
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const { width, setWidth } = useWidth(widthKey, usualWidth);

  useEffect(() => {
    // Whoever opens it by a button lands in it; where it stands from the beginning, nobody is taken away from the page.
    if (document.activeElement instanceof HTMLButtonElement) panel.current?.focus({ preventScroll: true });
  }, []);

  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-labelledby={id}
      // Not while something within it has the key, as a menu or what is being moved.
      onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && onOpenChange(false)}
      style={{ width: `${width}rem` }}
      className="sticky top-(--header-height) flex h-[calc(100dvh-var(--header-height))] shrink-0 flex-col border-s border-line bg-surface outline-none"
    >
      <FocusReturn />
      <Resizer width={width} onChange={setWidth} />
      <header className="flex shrink-0 items-center justify-between gap-2 border-b border-line py-2 ps-4 pe-2">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <IconButton size="sm" label={t`Close`} icon={<X />} onClick={() => onOpenChange(false)} />
      </header>
      <div className="min-h-0 grow overflow-y-auto">{children}</div>
      {footer && <footer className="shrink-0 border-t border-line bg-sunken px-4 py-3">{footer}</footer>}
    </aside>
  );
}

function Sheet({ open, onOpenChange, title, footer, children }: SidePanelProps) {
  const { t } = useLingui();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <div data-modal className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          aria-modal
          aria-describedby={undefined}
          className="fixed inset-y-0 end-0 z-50 flex w-full animate-fade flex-col border-s border-line bg-surface pb-[env(safe-area-inset-bottom)] shadow-high outline-none sm:w-96"
        >
          <FocusReturn />
          <header className="flex shrink-0 items-center justify-between gap-2 border-b border-line py-2 ps-4 pe-2">
            <Radix.Title className="font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t`Close`} icon={<X />} />
            </Radix.Close>
          </header>
          <div className="min-h-0 grow overflow-y-auto">{children}</div>
          {footer && <footer className="shrink-0 border-t border-line bg-sunken px-4 py-3">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
