// One value of a field's type in the control that editors have for it.

import { isUnread } from "../model/values";
import { Control } from "./Control";
import { Frame } from "./Frame";
import type { Shaped } from "./shape";

interface SingleProps {
  field: Shaped;
  value: unknown;
  /** Told whether what is typed can be read as a value. */
  onChange: (value: unknown, isRead: boolean) => void;
  error: string | undefined;
}

export default function Single({ field, value, onChange, error }: SingleProps) {
  const issues = error ? [{ path: "", code: "", message: error }] : [];
  return (
    <Frame field={field} id="default-value" value={value} issues={issues}>
      {(control) => <Control {...control} field={field} value={value} onChange={(value) => onChange(value, !isUnread(value))} readOnly={false} issues={[]} />}
    </Frame>
  );
}
