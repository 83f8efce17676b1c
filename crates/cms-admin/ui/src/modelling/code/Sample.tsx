// A piece of code to be read and copied.

import { Trans, useLingui } from "@lingui/react/macro";
import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";

import { Button } from "~/components/Button";

export function Sample({ label, text }: { label: string; text: string }) {
  const { t } = useLingui();
  const [isCopied, setCopied] = useState(false);
  const code = useRef<HTMLPreElement>(null);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    } catch {
      // Without the right to the clipboard the text is selected, ready for the keyboard.
      if (!code.current) return;
      code.current.focus();
      getSelection()?.selectAllChildren(code.current);
    }
  }

  return (
    <div className="grid min-w-0 gap-2">
      <pre ref={code} dir="ltr" tabIndex={0} role="region" aria-label={label} className="max-h-96 overflow-auto rounded-md border border-line bg-sunken p-3 text-start font-mono text-sm">
        {text}
      </pre>
      <div>
        <Button size="sm" aria-label={t`Copy: ${label}`} icon={isCopied ? <Check className="text-good" /> : <Copy />} onClick={() => void copy()}>
          <Trans>Copy</Trans>
        </Button>
        <span role="status" className="sr-only">
          {isCopied ? t`Copied` : ""}
        </span>
      </div>
    </div>
  );
}
