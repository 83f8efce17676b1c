// The types that a field had, which values of that time come back with.

import { Trans } from "@lingui/react/macro";

import type { ContentField } from "~/api/types";
import { Button } from "~/components/Button";
import { useFormat } from "~/lib/format";

import type { Form } from "./retyped";
import { useFormName } from "./useFormName";

export function FormerTypes({ field, onBack }: { field: ContentField; onBack: (form: Form) => void }) {
  const { date } = useFormat();
  const nameOf = useFormName();
  if (field.formerTypes.length === 0) return null;
  return (
    <ul className="grid gap-2 text-sm text-muted">
      {field.formerTypes.map(({ type, allowMultiple, until }) => {
        const [name, day] = [nameOf({ type, allowMultiple }), date(until)];
        return (
          <li key={`${type} ${String(allowMultiple)}`} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 basis-48">
              <Trans>
                Was {name} until {day}. Values from that time are shown as what they say in the present type.
              </Trans>
            </span>
            <Button size="sm" onClick={() => onBack({ type, allowMultiple })}>
              <Trans>Change back…</Trans>
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
