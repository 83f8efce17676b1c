// A panel at the end side of a screen. On wide screens it stands beside the content and can be made wider; on narrow ones it rises above it.

import { useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useId, useRef, type ReactNode } from "react";

import { IconButton } from "~/components/Button";
import { FocusReturn } from "~/components/FocusReturn";
import { cx } from "~/lib/cx";
import { useMedia } from "~/lib/useMedia";

import { Resizer } from "./Resizer";
import { useWidth, WIDTH } from "./useWidth";

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
  /** How wide it can be made, in rem, as long as something of the content stays beside it. */
  mostWidth?: number;
  /** Stand beside the title. */
  tools?: ReactNode;
  /** Takes all of a screen on which there is no room beside the content. */
  whole?: boolean;
}

/** Put it last into a row, as in `<div className="flex">…<SidePanel/></div>`. */
export function SidePanel(props: SidePanelProps) {
  const isWide = useMedia("(width >= 64rem)");
  if (isWide) return props.open && <Aside {...props} />;
  return <Sheet {...props} />;
}

function Aside({ onOpenChange, title, footer, children, widthKey = "panel", usualWidth = WIDTH.usual, mostWidth = WIDTH.most, tools }: SidePanelProps) {
  const { t } = useLingui();
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const { width, setWidth } = useWidth(widthKey, usualWidth, mostWidth);

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
      className="sticky top-(--header-height) flex max-w-[max(16rem,calc(100%-20rem))] h-[calc(100dvh-var(--header-height))] shrink-0 flex-col border-s border-line bg-surface outline-none"
    >
      <FocusReturn />
      <Resizer width={width} usual={usualWidth} most={mostWidth} onChange={setWidth} />
      <header className="flex shrink-0 items-center justify-between gap-2 border-b border-line py-2 ps-4 pe-2">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {tools && <div className="ms-auto flex items-center gap-1">{tools}</div>}
        <IconButton size="sm" label={t`Close`} icon={<X />} onClick={() => onOpenChange(false)} />
      </header>
      <div className="min-h-0 grow overflow-y-auto">{children}</div>
      {footer && <footer className="shrink-0 border-t border-line bg-sunken px-4 py-3">{footer}</footer>}
    </aside>
  );
}

function Sheet({ open, onOpenChange, title, footer, children, tools, whole }: SidePanelProps) {
  const { t } = useLingui();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <div data-modal className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          aria-modal
          aria-describedby={undefined}
          className={cx("fixed inset-y-0 end-0 z-50 flex w-full animate-fade flex-col border-s border-line bg-surface pb-[env(safe-area-inset-bottom)] shadow-high outline-none", !whole && "sm:w-96")}
        >
          <FocusReturn />
          <header className="flex shrink-0 items-center justify-between gap-2 border-b border-line py-2 ps-4 pe-2">
            <Radix.Title className="font-semibold">{title}</Radix.Title>
            {tools && <div className="ms-auto flex items-center gap-1">{tools}</div>}
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
