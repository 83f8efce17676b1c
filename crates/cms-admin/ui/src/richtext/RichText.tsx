// The editor of rich text. It is heavy: load it with `lazy`.

import { useLingui } from "@lingui/react/macro";
import { useLayoutEffect, useRef } from "react";

import { Controller, type Settings } from "./controller";
import type { PortableText } from "./value";
import { NotRichText } from "./NotRichText";

import "./richtext.css";

export interface RichTextProps {
  id: string;
  labelledBy: string;
  describedBy?: string | undefined;
  /** Portable Text, or whatever a program wrote instead. */
  value: unknown;
  onChange: (value: PortableText) => void;
  invalid?: boolean;
  readOnly?: boolean;
  placeholder?: string;
}

export default function RichText(props: RichTextProps) {
  const { value } = props;
  if (value !== undefined && value !== null && !Array.isArray(value)) return <NotRichText {...props} />;
  return <Editor {...props} value={value as PortableText | null | undefined} />;
}

function Editor({ id, labelledBy, describedBy, value, onChange, invalid = false, readOnly = false, placeholder }: RichTextProps & { value: PortableText | null | undefined }) {
  const { t } = useLingui();
  const place = useRef<HTMLDivElement>(null);
  const controller = useRef<Controller>(null);
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
    placeholder: placeholder ?? t`Write something…`,
    onChange,
  };
  const first = useRef({ value, settings });

  useLayoutEffect(() => {
    if (!place.current) return;
    const { value, settings } = first.current;
    const made = new Controller(place.current, value, settings);
    controller.current = made;
    return () => made.destroy();
  }, []);
  useLayoutEffect(() => controller.current?.set(settings));
  useLayoutEffect(() => controller.current?.take(value), [value]);

  return (
    <div className="rt" data-invalid={invalid || undefined}>
      <div ref={place} />
    </div>
  );
}
