// Rich text, as far as it can be read without its editor.

import { Trans } from "@lingui/react/macro";

import type { ControlProps } from "./shape";
import { plainText } from "./plain";

export function RichControl({ value, id }: ControlProps) {
  const text = plainText(value);
  return (
    <div id={id} className="min-h-24 rounded-md border border-line bg-sunken px-3 py-2 whitespace-pre-wrap text-muted" dir="auto">
      {text === "" ? <Trans>Empty</Trans> : text}
    </div>
  );
}
