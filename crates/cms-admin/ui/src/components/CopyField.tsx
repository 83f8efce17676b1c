// A value to be copied: a link, a token. Secrets can be shown and hidden.

import { useLingui } from "@lingui/react/macro";
import { Check, Copy, Eye, EyeOff } from "lucide-react";
import { useRef, useState } from "react";

import { cx } from "~/lib/cx";

import { IconButton } from "./Button";
import { Field, Input } from "./Field";

interface CopyFieldProps {
  label: string;
  value: string;
  /** Hidden until it is asked for. */
  secret?: boolean;
  hint?: string;
  /** Called when it was copied, by the button or by hand. */
  onCopied?: () => void;
}

export function CopyField({ label, value, secret, hint, onCopied }: CopyFieldProps) {
  const { t } = useLingui();
  const [isShown, setShown] = useState(!secret);
  const [isCopied, setCopied] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      onCopied?.();
      setTimeout(() => setCopied(false), 2_000);
    } catch {
      // Without the right to the clipboard the value is selected, ready for the keyboard.
      setShown(true);
      input.current?.focus();
      input.current?.select();
    }
  }

  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <div dir="ltr" className="relative max-w-control">
          <Input
            {...control}
            ref={input}
            readOnly
            type={isShown ? "text" : "password"}
            autoComplete="off"
            value={value}
            onCopy={onCopied}
            onFocus={(event) => isShown && event.target.select()}
            className={cx("font-mono text-sm! leading-6!", secret ? "pe-20" : "pe-11")}
          />
          <div className="absolute inset-y-0 end-0.5 flex items-center">
            {secret && <IconButton size="sm" label={isShown ? t`Hide` : t`Show`} icon={isShown ? <EyeOff /> : <Eye />} onClick={() => setShown(!isShown)} />}
            <IconButton size="sm" label={t`Copy`} icon={isCopied ? <Check className="text-good" /> : <Copy />} onClick={() => void copy()} />
          </div>
          <span role="status" className="sr-only">
            {isCopied ? t`Copied` : ""}
          </span>
        </div>
      )}
    </Field>
  );
}
