// Tabs. Where a tab is worth a link, keep its value in the address and give `value` and `onChange`.

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface Tab {
  value: string;
  label: ReactNode;
  content: ReactNode;
}

export function Tabs({ label, tabs, value, onChange }: { label: string; tabs: Tab[]; value: string; onChange: (value: string) => void }) {
  return (
    <Radix.Root value={value} onValueChange={onChange} activationMode="manual">
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-muted transition-colors -outline-offset-2! hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink pointer-coarse:min-h-11"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-5">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
