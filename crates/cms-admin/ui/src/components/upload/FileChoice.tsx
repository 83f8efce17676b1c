// A choice of one file: by the browser's dialog, or dropped here.

import { Trans, useLingui } from "@lingui/react/macro";
import { FileText, Upload, X } from "lucide-react";
import { useId, useRef, useState, type DragEvent, type ReactNode } from "react";

import { IconButton } from "~/components/Button";
import { cx } from "~/lib/cx";
import { useFormat } from "~/lib/format";

interface FileChoiceProps {
  file: File | undefined;
  onChange: (file: File | undefined) => void;
  /** Which names the browser's dialog shows. */
  accept: string;
  /** What files belong here: said as long as there is none. */
  hint: ReactNode;
  disabled?: boolean;
}

export function FileChoice({ file, onChange, accept, hint, disabled = false }: FileChoiceProps) {
  const { t } = useLingui();
  const { bytes } = useFormat();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped && !disabled) onChange(dropped);
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!disabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        "relative grid justify-items-center gap-1 rounded-md border border-dashed px-4 py-6 text-center has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus",
        isOver ? "border-accent bg-accent-soft" : "border-line-strong bg-sunken",
      )}
    >
      <input
        ref={input}
        id={id}
        type="file"
        name="file"
        accept={accept}
        disabled={disabled}
        onChange={(event) => onChange(event.target.files?.[0] ?? undefined)}
        className="sr-only"
      />
      {file ? <FileText aria-hidden className="size-6 text-accent-ink" /> : <Upload aria-hidden className="size-6 text-muted" />}
      <label htmlFor={id} className={cx("font-medium wrap-anywhere", !disabled && "cursor-pointer after:absolute after:inset-0")}>
        {file ? <bdi>{file.name}</bdi> : <Trans>Choose a file, or drop one here</Trans>}
      </label>
      <p className="text-sm text-muted">{file ? bytes(file.size) : hint}</p>
      {file && !disabled && (
        <IconButton
          label={t`Remove the file`}
          icon={<X />}
          size="sm"
          className="absolute! end-2 top-2 z-10"
          onClick={() => {
            if (input.current) input.current.value = "";
            onChange(undefined);
          }}
        />
      )}
    </div>
  );
}
