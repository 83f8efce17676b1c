// A piece of code to be read and copied.

import { CopyButton } from "./CopyButton";

export function Code({ label, text }: { label: string; text: string }) {
  return (
    <div className="grid min-w-0 gap-2">
      <pre dir="ltr" tabIndex={0} role="region" aria-label={label} className="max-h-96 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-sm">
        {text}
      </pre>
      <div className="flex">
        <CopyButton text={text} />
      </div>
    </div>
  );
}
