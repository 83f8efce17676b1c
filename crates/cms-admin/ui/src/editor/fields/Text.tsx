// Text: one line, several lines, an address.

import { useLingui } from "@lingui/react/macro";
import { ExternalLink } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";

import { isAddress } from "./address";
import { AREA, LINE } from "./control";
import { lookOf, type ControlProps } from "./shape";

/** Text that is there, whatever another program wrote; and none for no value. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An empty text is no value. */
export function given(text: string): string | null {
  return text === "" ? null : text;
}

/** What every control with text has. */
export function attributes({ id, describedBy, isInvalid, readOnly, field }: ControlProps) {
  return {
    id,
    name: field.slug,
    readOnly,
    dir: "auto" as const,
    placeholder: lookOf(field).placeholder,
    "aria-describedby": describedBy,
    "aria-invalid": isInvalid || undefined,
    "aria-required": field.required || undefined,
  };
}

export function LineControl(props: ControlProps) {
  return <input type="text" className={LINE} {...attributes(props)} value={textOf(props.value)} onChange={(event) => props.onChange(given(event.target.value))} />;
}

/** The most characters for which the box grows with what is in it: measuring more takes longer than a key may. */
const GROWS = 20_000;

export function AreaControl(props: ControlProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const text = textOf(props.value);
  // The box is as high as what is in it, in browsers that do not do it by themselves.
  useLayoutEffect(() => {
    const { current } = area;
    if (!current || CSS.supports("field-sizing", "content") || text.length > GROWS) return;
    current.style.blockSize = "auto";
    current.style.blockSize = `${current.scrollHeight + 2}px`;
  }, [text]);
  return (
    <textarea
      ref={area}
      className={`${AREA} field-sizing-content max-h-[70dvh] min-h-20 resize-y`}
      rows={lookOf(props.field).rows ?? 4}
      {...attributes(props)}
      value={text}
      onChange={(event) => props.onChange(given(event.target.value))}
    />
  );
}

export function UrlControl(props: ControlProps) {
  const { t } = useLingui();
  const [isLeft, setLeft] = useState(false);
  const text = textOf(props.value);
  const isWrong = isLeft && text !== "" && !isAddress(text);
  const isBare = isWrong && isAddress(`https://${text}`) && /\.\w/.test(text);
  return (
    <>
      <span className="flex gap-1.5">
        <input
          type="url"
          inputMode="url"
          className={LINE}
          {...attributes(props)}
          {...(isWrong && { "aria-invalid": true })}
          value={text}
          onChange={(event) => {
            setLeft(false);
            props.onChange(given(event.target.value));
          }}
          onBlur={() => setLeft(true)}
        />
        {isAddress(text) && /^https?:/.test(text) && (
          <a
            href={text}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t`Open ${text} in a new tab`}
            title={t`Open in a new tab`}
            className="inline-grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11"
          >
            <ExternalLink aria-hidden className="size-4" />
          </a>
        )}
      </span>
      {isWrong && !props.isInvalid && (
        <p role="status" className="text-sm text-bad">
          {isBare ? (
            <button type="button" className="rounded-sm underline underline-offset-2" onClick={() => props.onChange(`https://${text}`)}>
              {t`Did you mean https://${text}?`}
            </button>
          ) : (
            t`This is not a web address. It should look like https://example.com.`
          )}
        </p>
      )}
    </>
  );
}
