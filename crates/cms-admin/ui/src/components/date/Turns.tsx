// The question which of two hours is meant, when clocks are put back and show one hour twice.

import { Trans, useLingui } from "@lingui/react/macro";
import { useId } from "react";

import { dateFormat } from "~/lib/intl";

import type { Turn } from "./zone";

interface TurnsProps {
  twice: { earlier: string; later: string };
  turn: Turn;
  locale: string;
  zone: string;
  disabled: boolean;
  onChange: (turn: Turn) => void;
}

export function Turns({ twice, turn, locale, zone, disabled, onChange }: TurnsProps) {
  const { t } = useLingui();
  const name = useId();
  const write = (instant: string) => dateFormat(locale, { timeZone: zone, hour: "numeric", minute: "2-digit", timeZoneName: "shortOffset" }).format(new Date(instant));
  const [earlier, later] = [write(twice.earlier), write(twice.later)];
  const options = [
    { value: "earlier", text: t`The first time: ${earlier}` },
    { value: "later", text: t`The second time: ${later}` },
  ] as const;
  return (
    <fieldset className="rounded-md border border-line bg-sunken px-3 py-2">
      <legend className="sr-only">
        <Trans>Clocks go back that night, and show this time twice. Which one?</Trans>
      </legend>
      <p aria-hidden className="text-sm text-muted">
        <Trans>Clocks go back that night, and show this time twice. Which one?</Trans>
      </p>
      {options.map(({ value, text }) => (
        <label key={value} className="flex items-center gap-2.5 py-1 pointer-coarse:min-h-11">
          <input type="radio" name={name} value={value} checked={turn === value} disabled={disabled} onChange={() => onChange(value)} className="size-4" />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
