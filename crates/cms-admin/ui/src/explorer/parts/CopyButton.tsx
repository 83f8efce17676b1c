// Copies a text, and says that it did.

import { Trans, useLingui } from "@lingui/react/macro";
import { Check, Copy } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button } from "~/components/Button";
import { toast } from "~/components/toast";

export function CopyButton({ text, children }: { text: string | (() => Promise<string>); children?: ReactNode }) {
  const { t } = useLingui();
  const [isCopied, setCopied] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    } catch {
      toast.bad(t`The browser does not let this page copy. Select the text and copy it yourself.`);
    }
  }

  return (
    <>
      <Button size="sm" icon={isCopied ? <Check className="text-good" /> : <Copy />} onClick={() => void copy()}>
        {children ?? <Trans>Copy</Trans>}
      </Button>
      <span role="status" className="sr-only">
        {isCopied ? t`Copied` : ""}
      </span>
    </>
  );
}
