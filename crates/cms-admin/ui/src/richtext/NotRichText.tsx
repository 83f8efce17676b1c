// A value that is no rich text at all: it is shown as it is, and stays until somebody decides otherwise.

import { Trans } from "@lingui/react/macro";

import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";

import { newKey } from "./value";
import type { RichTextProps } from "./RichText";

/** As much of it as a page shows. */
const SHOWN = 20_000;

export function NotRichText({ id, labelledBy, describedBy, value, onChange, readOnly }: RichTextProps) {
  const source = JSON.stringify(value, null, 2);
  const text = typeof value === "string" ? value : source;
  const paragraphs = () => onChange(text.split(/\n{2,}/).map((text) => ({ _type: "block", _key: newKey(), style: "normal", markDefs: [], children: [{ _type: "span", _key: newKey(), text, marks: [] }] })));
  return (
    <div id={id} role="group" aria-labelledby={labelledBy} aria-describedby={describedBy} tabIndex={-1} className="grid gap-3">
      <Notice
        tone="warn"
        title={<Trans>This isn’t rich text</Trans>}
        action={
          !readOnly && (
            <>
              <Button size="sm" onClick={paragraphs}>
                <Trans>Turn it into text</Trans>
              </Button>
              <Button size="sm" onClick={() => onChange([])}>
                <Trans>Start over</Trans>
              </Button>
            </>
          )
        }
      >
        <Trans>A program stored something else here. It stays as it is until you change it.</Trans>
      </Notice>
      <pre dir="ltr" className="max-h-64 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        {source.length > SHOWN ? `${source.slice(0, SHOWN)}…` : source}
      </pre>
    </div>
  );
}
