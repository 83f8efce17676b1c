// The choice how wide the page is.

import { useLingui } from "@lingui/react/macro";
import { Monitor, MoveHorizontal, Smartphone, Tablet } from "lucide-react";

import { IconButton } from "~/components/Button";

import type { Device } from "./device";

export function Devices({ device, onChange }: { device: Device; onChange: (device: Device) => void }) {
  const { t } = useLingui();
  const choices: [Device, string, typeof Monitor][] = [
    ["phone", t`Phone width`, Smartphone],
    ["tablet", t`Tablet width`, Tablet],
    ["desktop", t`Desktop width`, Monitor],
    ["full", t`Full width`, MoveHorizontal],
  ];
  return (
    <div role="group" aria-label={t`Width of the page`} className="flex gap-0.5">
      {choices.map(([choice, label, Icon]) => (
        <IconButton key={choice} size="sm" label={label} icon={<Icon />} aria-pressed={device === choice} onClick={() => onChange(choice)} className="aria-pressed:bg-active aria-pressed:text-ink" />
      ))}
    </div>
  );
}
