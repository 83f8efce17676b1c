// A switch: on or off, at once.

import { Switch as Radix } from "radix-ui";

import { Spinner } from "./Spinner";

interface SwitchProps {
  /** What it turns on: read out. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** The change is under way. */
  pending?: boolean;
}

export function Switch({ label, checked, onChange, pending }: SwitchProps) {
  return (
    <Radix.Root
      aria-label={label}
      aria-busy={pending || undefined}
      checked={checked}
      onCheckedChange={(checked) => pending || onChange(checked)}
      className="inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-line-strong bg-sunken p-0.5 transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <Radix.Thumb className="grid size-4.5 place-items-center rounded-full bg-line-strong text-ink transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent data-[state=checked]:text-accent rtl:data-[state=checked]:-translate-x-4">
        {pending && <Spinner className="size-3" />}
      </Radix.Thumb>
    </Radix.Root>
  );
}
