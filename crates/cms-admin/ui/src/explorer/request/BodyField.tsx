// The body of a request: JSON as it is typed, or a file. Nothing of it is read and written again, so that every digit arrives.

import { Trans, useLingui } from "@lingui/react/macro";

import { Button } from "~/components/Button";
import { CodeField } from "~/components/CodeField";
import { FileChoice } from "~/components/upload/FileChoice";

import { isJson, laidOut } from "../snippets/json";

interface BodyFieldProps {
  mediaType: string;
  required: boolean;
  text: string;
  onText: (text: string) => void;
  file: File | undefined;
  onFile: (file: File | undefined) => void;
  isChecked: boolean;
}

export const isJsonType = (mediaType: string) => mediaType === "application/json";

export function BodyField({ mediaType, required, text, onText, file, onFile, isChecked }: BodyFieldProps) {
  const { t } = useLingui();
  if (!isJsonType(mediaType)) {
    return (
      <div className="grid gap-1.5">
        <FileChoice file={file} onChange={onFile} accept=".ndjson,.jsonl,application/x-ndjson" hint={<Trans>NDJSON: one JSON object on each line.</Trans>} />
        {isChecked && required && !file && <p className="text-sm text-bad">{t`A file is needed here.`}</p>}
      </div>
    );
  }
  const formatted = laidOut(text);
  const isWrong = text.trim() !== "" && !isJson(text);
  return (
    <CodeField
      label={t`Body`}
      language="json"
      verbatim
      optional={!required}
      value={text}
      onChange={onText}
      hint={t`It is sent exactly as typed: long numbers keep their digits.`}
      error={isWrong ? t`This is not JSON yet. Its first mistake is underlined.` : isChecked && required && text.trim() === "" ? t`A body is needed here.` : undefined}
      footer={
        <Button size="sm" variant="ghost" aria-disabled={formatted === text || undefined} onClick={() => onText(formatted)}>
          <Trans>Format</Trans>
        </Button>
      }
    />
  );
}
