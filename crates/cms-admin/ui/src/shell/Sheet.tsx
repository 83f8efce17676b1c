// The navigation on small screens: a panel that slides in from the side where lines begin.

import { useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useEffectEvent, type ReactNode } from "react";

import { IconButton } from "~/components/Button";
import { FocusReturn } from "~/components/FocusReturn";

import { Brand } from "./Brand";

export function Sheet({ open, onClose, title, children }: { open: boolean; onClose: () => void; title: string; children: ReactNode }) {
  const { t } = useLingui();
  const close = useEffectEvent(() => open && onClose());
  useEffect(() => {
    // As wide as that, the navigation stands at the side.
    const isWide = matchMedia("(width >= 64rem)");
    const change = () => isWide.matches && close();
    isWide.addEventListener("change", change);
    return () => isWide.removeEventListener("change", change);
  }, []);
  return (
    <Radix.Root open={open} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div data-modal className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 start-0 z-50 flex w-[min(19rem,86vw)] animate-fade flex-col overflow-y-auto border-e border-line bg-surface shadow-high outline-none"
        >
          <FocusReturn />
          <div className="flex h-(--header-height) shrink-0 items-center justify-between gap-2 ps-4 pe-2">
            <Brand />
            <Radix.Title className="sr-only">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t`Close`} icon={<X />} />
            </Radix.Close>
          </div>
          <div className="px-2.5 py-3">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
