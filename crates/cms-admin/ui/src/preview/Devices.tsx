// The choice how wide the page is.

import { useLingui } from "@lingui/react/macro";
import { Monitor, Smartphone, StretchHorizontal, Tablet } from "lucide-react";

import { IconButton } from "~/components/Button";

import type { Device } from "./device";

export function Devices({ device, onChange }: { device: Device; onChange: (device: Device) => void }) {
  const { t } = useLingui();
  const choices: [Device, string, typeof Monitor][] = [
    ["phone", t`As wide as a phone`, Smartphone],
    ["tablet", t`As wide as a tablet`, Tablet],
    ["desktop", t`As wide as a desktop`, Monitor],
    ["full", t`As wide as there is room`, StretchHorizontal],
  ];
  return (
    <div role="group" aria-label={t`Width of the page`} className="flex gap-0.5">
      {choices.map(([choice, label, Icon]) => (
        <IconButton key={choice} size="sm" label={label} icon={<Icon />} aria-pressed={device === choice} onClick={() => onChange(choice)} className="aria-pressed:bg-active aria-pressed:text-ink" />
      ))}
    </div>
  );
}
