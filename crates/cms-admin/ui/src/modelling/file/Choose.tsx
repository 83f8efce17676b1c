// Where a model comes from: a file that is chosen or dropped, or a text that is pasted.

import { Trans, useLingui } from "@lingui/react/macro";
import { useState, type ClipboardEvent } from "react";

import { Button } from "~/components/Button";
import { TextArea } from "~/components/Field";
import { Tabs } from "~/components/Tabs";
import { FileChoice } from "~/components/upload/FileChoice";

/** Texts that are longer than this are not drawn: a browser takes long for them, and nobody reads them in a box. */
const LONG = 200_000;

interface ChooseProps {
  file: File | undefined;
  onChange: (file: File | undefined) => void;
  disabled: boolean;
}

export function Choose({ file, onChange, disabled }: ChooseProps) {
  const { t } = useLingui();
  const [way, setWay] = useState("file");
  const [text, setText] = useState("");

  const take = (text: string) => onChange(new File([text], t`Pasted text`, { type: "application/json" }));
  function paste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData("text");
    if (pasted.length <= LONG) return;
    event.preventDefault();
    take(pasted);
    setWay("file");
  }

  return (
    <Tabs
      label={t`Where the model comes from`}
      value={way}
      onChange={setWay}
      tabs={[
        {
          value: "file",
          label: <Trans>From a file</Trans>,
          content: <FileChoice file={file} onChange={onChange} accept=".json,application/json" hint={<Trans>JSON, as it is downloaded above or written by “cms schema export”.</Trans>} disabled={disabled} />,
        },
        {
          value: "text",
          label: <Trans>Paste a text</Trans>,
          content: (
            <div className="grid justify-items-start gap-3 [--container-control:100%]">
              <TextArea
                label={t`Model as JSON`}
                className="w-full"
                dir="ltr"
                rows={8}
                spellCheck={false}
                autoComplete="off"
                autoCapitalize="off"
                disabled={disabled}
                value={text}
                onPaste={paste}
                onChange={(event) => setText(event.target.value)}
              />
              <Button disabled={disabled || text.trim() === ""} onClick={() => take(text)}>
                <Trans>Read this text</Trans>
              </Button>
            </div>
          ),
        },
      ]}
    />
  );
}
