// The editor of rich text. It is heavy: load it with `lazy`.

import { useLingui } from "@lingui/react/macro";
import type { Ref } from "react";

import type { Settings } from "./controller";
import { Editor, type RichTextHandle } from "./Editor";
import { NotRichText } from "./NotRichText";
import type { SelectedBlock } from "./selected";
import type { PortableText } from "./value";

export interface RichTextProps {
  id: string;
  labelledBy: string;
  describedBy?: string | undefined;
  /** Portable Text, or whatever a program wrote instead. */
  value: unknown;
  /** Told once a frame what was written. */
  onChange: (value: PortableText) => void;
  invalid?: boolean;
  readOnly?: boolean;
  placeholder?: string;
  /** Told which block is chosen, for a panel that shows `BlockSettings`. Without it, blocks have their settings in a popover. */
  onSelectBlock?: (selected: SelectedBlock | null) => void;
  handle?: Ref<RichTextHandle>;
}

export default function RichText(props: RichTextProps) {
  const { t } = useLingui();
  const { id, labelledBy, describedBy, value, onChange, invalid = false, readOnly = false, placeholder, onSelectBlock, handle } = props;
  if (value !== undefined && value !== null && !Array.isArray(value)) return <NotRichText {...props} />;
  const settings: Settings = {
    attributes: {
      id,
      class: "rt-text",
      role: "textbox",
      "aria-multiline": "true",
      "aria-labelledby": labelledBy,
      spellcheck: "true",
      ...(describedBy ? { "aria-describedby": describedBy } : {}),
      ...(invalid ? { "aria-invalid": "true" } : {}),
      ...(readOnly ? { "aria-readonly": "true", tabindex: "0" } : {}),
    },
    readOnly,
    placeholder: placeholder ?? t`Write, or type / for blocks`,
    onChange,
  };
  return <Editor settings={settings} value={value as PortableText | null | undefined} invalid={invalid} onSelectBlock={onSelectBlock} handle={handle} />;
}
