// The sheet of keyboard shortcuts.

import { Trans, useLingui } from "@lingui/react/macro";
import { useState, type ReactNode } from "react";

import { Dialog } from "~/components/Dialog";
import { Checkbox } from "~/components/Field";

import { hasLetterShortcuts, modKey, setLetterShortcuts } from "./keys";
import { usePlaces } from "./usePlaces";

export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const [hasLetters, setHasLetters] = useState(hasLetterShortcuts);
  const places = usePlaces().filter((place) => place.key);
  return (
    <Dialog open={open} onOpenChange={(open) => !open && onClose()} title={<Trans>Keyboard shortcuts</Trans>} size="md">
      <div className="grid gap-6 sm:grid-cols-2 sm:gap-8">
        <Shortcuts title={t`Everywhere`}>
          <Shortcut keys={[modKey("K")]} name={<Trans>Search or jump to…</Trans>} />
          <Shortcut keys={["?"]} name={<Trans>This sheet</Trans>} />
          <Shortcut keys={["/"]} name={<Trans>Search in a list</Trans>} />
          <Shortcut keys={["Esc"]} name={<Trans>Close what is open</Trans>} />
          <Shortcut keys={["F8"]} name={<Trans>To the notifications</Trans>} />
        </Shortcuts>
        <Shortcuts title={t`Go to`}>
          {places.map((place) => (
            <Shortcut key={place.to} keys={["g", place.key ?? ""]} name={place.label} />
          ))}
        </Shortcuts>
      </div>
      <Checkbox
        className="mt-6 border-t border-line pt-5"
        label={<Trans>Use single-letter shortcuts</Trans>}
        hint={<Trans>Turn them off if keys are pressed by mistake, or if you dictate.</Trans>}
        checked={hasLetters}
        onChange={(event) => {
          setHasLetters(event.target.checked);
          setLetterShortcuts(event.target.checked);
        }}
      />
    </Dialog>
  );
}

function Shortcuts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-2 text-sm font-medium text-muted">{title}</h3>
      <dl className="grid gap-2">{children}</dl>
    </section>
  );
}

function Shortcut({ keys, name }: { keys: string[]; name: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4">
      <dt>{name}</dt>
      <dd className="flex gap-1" dir="ltr">
        {keys.map((key) => (
          <kbd key={key} className="min-w-6 rounded-sm border border-line bg-sunken px-1.5 py-px text-center font-sans text-xs text-muted">
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  );
}
