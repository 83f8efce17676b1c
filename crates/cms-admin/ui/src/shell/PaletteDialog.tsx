// The frame of the command palette and its box, which take what is typed at once. What can be found comes with `palette/`, when it is first opened.

import { Trans, useLingui } from "@lingui/react/macro";
import { Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { Suspense, useId, useRef, useState, type KeyboardEvent } from "react";

import { FocusReturn } from "~/components/FocusReturn";
import { SkeletonRows } from "~/components/states";
import { addTexts } from "~/lib/language";
import { lazily } from "~/lib/lazily";

const Results = lazily(() => Promise.all([import("./palette/Results"), addTexts("shell/palette")]).then(([of]) => of.Results));

interface PaletteProps {
  open: boolean;
  onClose: () => void;
  onHelp: () => void;
}

export function PaletteDialog({ open, onClose, onHelp }: PaletteProps) {
  return (
    <Radix.Root open={open} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div data-modal className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[max(0.75rem,12vh)] z-50 mx-auto flex h-[min(30rem,76dvh)] max-w-xl animate-enter flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-high outline-none"
        >
          <FocusReturn />
          <Radix.Title className="sr-only">
            <Trans>Search or jump to…</Trans>
          </Radix.Title>
          <Chooser onClose={onClose} onHelp={onHelp} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Chooser({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const { t } = useLingui();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState<string>();
  const [isThere, setThere] = useState(false);
  const keys = useRef<(event: KeyboardEvent) => void>(null);
  return (
    <>
      <div className="flex shrink-0 items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-[1.125rem] shrink-0 text-muted" />
        <input
          role="combobox"
          aria-expanded={isThere}
          aria-controls={isThere ? id : undefined}
          aria-activedescendant={active}
          aria-autocomplete="list"
          aria-label={t`Search or jump to…`}
          placeholder={t`Search or jump to…`}
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="auto"
          maxLength={300}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => keys.current?.(event)}
          className="control-text h-13 min-w-0 grow bg-transparent outline-none"
        />
      </div>
      <Suspense fallback={<SkeletonRows />}>
        <Results id={id} typed={typed} keys={keys} onActive={setActive} onThere={setThere} onClose={onClose} onHelp={onHelp} />
      </Suspense>
    </>
  );
}
