// What can be set about a block, as a small form: for a side panel, or for a popover at the block.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";

import { Checkbox, SelectField, TextArea, TextField } from "~/components/Field";

import { isLinkAddress } from "../address";
import { LANGUAGES } from "../languages";
import type { SelectedBlock } from "../selected";
import { isTyped, type Typed } from "../value";
import { TONES } from "./Heads";

type Kind = "line" | "text" | "url" | "switch" | "number";

interface Setting {
  /** The member, or one within another. */
  name: string;
  label: MessageDescriptor;
  kind: Kind;
  hint?: MessageDescriptor;
  options?: [string, MessageDescriptor][];
  /** Whether there is something to set at the moment. */
  when?: (block: Typed) => boolean;
}

const SETTINGS: Record<string, Setting[]> = {
  block: [
    { name: "textAlign", label: msg`Alignment`, kind: "line", options: [["", msg`As the text runs`], ["left", msg`Left`], ["center", msg`Center`], ["right", msg`Right`], ["justify", msg`Justified`]] },
    { name: "listStart", label: msg`First number`, kind: "number", when: ({ listItem }) => listItem === "number" },
  ],
  image: [
    { name: "asset.url", label: msg`Address of the image`, kind: "url" },
    { name: "alt", label: msg`Alternative text`, kind: "text", hint: msg`Says what the image shows to those who cannot see it.` },
    { name: "caption", label: msg`Caption`, kind: "text" },
    { name: "alignment", label: msg`Placement`, kind: "line", options: [["", msg`In the text`], ["left", msg`Left`], ["center", msg`Center`], ["right", msg`Right`], ["wide", msg`Wide`], ["full", msg`Full width`]] },
  ],
  embed: [
    { name: "url", label: msg`Address`, kind: "url" },
    { name: "caption", label: msg`Caption`, kind: "text" },
  ],
  code: [
    { name: "language", label: msg`Language`, kind: "line" },
    { name: "filename", label: msg`File name`, kind: "line" },
  ],
  callout: [{ name: "tone", label: msg`Kind of callout`, kind: "line", options: Object.entries(TONES).map(([value, { label }]) => [value, label]) }],
  toggle: [{ name: "title", label: msg`Title of the toggle`, kind: "line" }],
  button: [
    { name: "text", label: msg`Text of the button`, kind: "line" },
    { name: "url", label: msg`Address of the button`, kind: "url" },
    { name: "style", label: msg`Look`, kind: "line", options: [["", msg`Filled`], ["outline", msg`Outlined`]] },
  ],
  gallery: [{ name: "columns", label: msg`Columns`, kind: "number" }],
  table: [{ name: "caption", label: msg`Caption`, kind: "line" }],
};

export function hasSettings({ _type }: Typed): boolean {
  return _type in SETTINGS;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function read(block: Typed, name: string): unknown {
  const [outer = "", inner] = name.split(".");
  const value = block[outer];
  return inner === undefined ? value : isObject(value) ? value[inner] : undefined;
}

function members(block: Typed, name: string, value: unknown): Record<string, unknown> {
  const [outer = "", inner] = name.split(".");
  return { [outer]: inner === undefined ? value : { ...(isObject(block[outer]) ? block[outer] : {}), [inner]: value } };
}

/** The settings of a block. */
export function BlockForm({ block, update }: SelectedBlock) {
  const { t, i18n } = useLingui();
  const settings = (isTyped(block) ? (SETTINGS[block._type] ?? []) : []).filter(({ when }) => when?.(block) ?? true);
  if (settings.length === 0) {
    return (
      <p className="text-sm text-muted">
        <Trans>This block has no settings.</Trans>
      </p>
    );
  }
  return (
    <div className="grid gap-3.5">
      {settings.map(({ name, label, kind, hint, options }) => {
        const value = read(block, name);
        const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
        const set = (next: unknown) => update(members(block, name, next === "" ? undefined : next));
        const common = { label: i18n._(label), hint: hint && i18n._(hint), optional: true };
        if (options) {
          return (
            <SelectField key={name} {...common} optional={false} value={text} onChange={(event) => set(event.target.value)}>
              {options.every(([option]) => option !== text) && <option value={text}>{text || "–"}</option>}
              {options.map(([option, words]) => (
                <option key={option} value={option}>
                  {i18n._(words)}
                </option>
              ))}
            </SelectField>
          );
        }
        if (kind === "switch") return <Checkbox key={name} label={common.label} checked={value === true} onChange={(event) => set(event.target.checked)} />;
        if (kind === "text") return <TextArea key={name} {...common} rows={2} value={text} onChange={(event) => set(event.target.value)} />;
        if (kind === "number") {
          return <TextField key={name} {...common} type="number" min={1} step={1} value={text} onChange={(event) => set(event.target.value === "" ? undefined : Math.max(1, Math.trunc(event.target.valueAsNumber || 1)))} />;
        }
        return (
          <TextField
            key={name}
            {...common}
            value={text}
            dir={kind === "url" ? "ltr" : "auto"}
            inputMode={kind === "url" ? "url" : undefined}
            list={name === "language" ? "rt-languages" : undefined}
            error={kind === "url" && !isLinkAddress(text) ? t`This is not an address.` : undefined}
            onChange={(event) => set(event.target.value)}
          />
        );
      })}
      <datalist id="rt-languages">
        {LANGUAGES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
