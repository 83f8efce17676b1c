// The side panel where there is no room for it beside the fields.

import { Trans, useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";

import { IconButton } from "~/components/Button";
import { FocusReturn } from "~/components/FocusReturn";

export function PanelSheet({ isOpen, onClose, children }: { isOpen: boolean; onClose: () => void; children: ReactNode }) {
  const { t } = useLingui();
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div data-modal className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 end-0 z-50 flex w-[min(22rem,94vw)] animate-fade flex-col overflow-y-auto border-s border-line bg-surface shadow-high outline-none"
        >
          <FocusReturn />
          <div className="flex h-(--header-height) shrink-0 items-center justify-between gap-2 ps-4 pe-2">
            <Radix.Title className="font-semibold">
              <Trans>About this entry</Trans>
            </Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t`Close`} icon={<X />} />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
