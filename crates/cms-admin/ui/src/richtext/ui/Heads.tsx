// The heads of blocks that are written in: the language of code, the kind of a callout, the title of a toggle.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { ChevronDown, CircleAlert, Info, Lightbulb, OctagonAlert, TriangleAlert, type LucideIcon } from "lucide-react";

import { LANGUAGES } from "../languages";
import { useChange, useEnter } from "./change";
import { useEditor } from "./context";
import type { Shown } from "./views";

export const TONES: Record<string, { label: MessageDescriptor; icon: LucideIcon }> = {
  note: { label: msg`Note`, icon: Info },
  tip: { label: msg`Tip`, icon: Lightbulb },
  important: { label: msg`Important`, icon: CircleAlert },
  warning: { label: msg`Warning`, icon: TriangleAlert },
  caution: { label: msg`Caution`, icon: OctagonAlert },
};

const QUIET = "rounded-sm border border-transparent bg-transparent px-1 text-sm text-muted hover:border-line hover:bg-hover focus-visible:border-line pointer-coarse:min-h-11";

export function CodeHead({ shown }: { shown: Shown }) {
  const { t } = useLingui();
  const controller = useEditor();
  const change = useChange(shown);
  const enter = useEnter(shown);
  const { language, filename } = shown.node.attrs as { language: string | null; filename: string | null };
  const list = `${controller.view.dom.id}-languages-${shown.id}`;
  return (
    <div className="flex items-center gap-2" dir="ltr" onKeyDown={enter}>
      <input
        aria-label={t`Language`}
        placeholder={t`Language`}
        list={list}
        value={language ?? ""}
        readOnly={controller.isReadOnly}
        maxLength={128}
        onChange={(event) => change({ language: event.target.value || undefined })}
        className={`${QUIET} w-28`}
      />
      <datalist id={list}>
        {LANGUAGES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <input
        aria-label={t`File name`}
        placeholder={t`File name`}
        value={filename ?? ""}
        readOnly={controller.isReadOnly}
        onChange={(event) => change({ filename: event.target.value || undefined })}
        className={`${QUIET} min-w-0 grow font-mono`}
      />
    </div>
  );
}

export function CalloutHead({ shown }: { shown: Shown }) {
  const { t, i18n } = useLingui();
  const controller = useEditor();
  const change = useChange(shown);
  const enter = useEnter(shown);
  const tone = shown.node.attrs.tone as string | null;
  const { icon: Icon } = TONES[tone ?? ""] ?? { icon: Info };
  return (
    <label className="flex items-center gap-1.5" onKeyDown={enter}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="relative">
        <select aria-label={t`Kind of callout`} value={tone ?? ""} disabled={controller.isReadOnly} onChange={(event) => change({ tone: event.target.value })} className={`${QUIET} appearance-none pe-5 font-medium text-ink`}>
          {tone !== null && TONES[tone] ? null : <option value={tone ?? ""}>{tone ?? "–"}</option>}
          {Object.entries(TONES).map(([value, { label }]) => (
            <option key={value} value={value}>
              {i18n._(label)}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden className="pointer-events-none absolute inset-y-0 end-1 my-auto size-3.5" />
      </span>
    </label>
  );
}

export function ToggleHead({ shown }: { shown: Shown }) {
  const { t } = useLingui();
  const controller = useEditor();
  const change = useChange(shown);
  const enter = useEnter(shown);
  return (
    <div className="flex items-center gap-1.5" onKeyDown={enter}>
      <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
      <input
        aria-label={t`Title of the toggle`}
        placeholder={t`Title of the toggle`}
        dir="auto"
        value={(shown.node.attrs.title as string | null) ?? ""}
        readOnly={controller.isReadOnly}
        onChange={(event) => change({ title: event.target.value })}
        className="min-w-0 grow bg-transparent font-semibold pointer-coarse:min-h-11"
      />
    </div>
  );
}
