// What floats beside the text: marks over selected words, and what a link says while the caret is in it.

import { useLingui } from "@lingui/react/macro";
import { ExternalLink, Link, Pencil, Unlink } from "lucide-react";
import { TextSelection, type EditorState } from "prosemirror-state";
import { useEffect, useRef, useState } from "react";

import { isLinkAddress } from "../address";
import { hasDecorator, takesMarks, toggleDecorator } from "../commands";
import { linkAt, unlink } from "../links";
import { useEditor, useWatched } from "./context";
import { useBeside } from "./floating";
import { MARKS, Tool, useRoving } from "./Toolbar";

/** What is shown and where, as one text. */
function look(state: EditorState): string {
  const { selection } = state;
  if (!(selection instanceof TextSelection)) return "";
  if (!selection.empty) {
    if (!takesMarks(state) || state.doc.textBetween(selection.from, selection.to).trim() === "") return "";
    return JSON.stringify({ from: selection.from, to: selection.to, on: MARKS.filter(({ name }) => hasDecorator(state, name)).map(({ name }) => name) });
  }
  const link = linkAt(state);
  return link ? JSON.stringify({ from: link.from, to: link.to, href: link.definition.href }) : "";
}

interface Look {
  from: number;
  to: number;
  on?: string[];
  href?: unknown;
}

export function Bubble({ onLink }: { onLink: () => void }) {
  const controller = useEditor();
  const shown = useWatched(look);
  const [isHere, setIsHere] = useState(false);
  // Not while the pointer still selects, and not while somebody is elsewhere.
  useEffect(() => {
    const { dom } = controller.view;
    const place = dom.closest(".rt");
    const settle = () => setTimeout(() => setIsHere(place?.contains(document.activeElement) ?? false));
    const hide = () => setIsHere(false);
    dom.addEventListener("pointerdown", hide);
    addEventListener("pointerup", settle);
    place?.addEventListener("focusin", settle);
    place?.addEventListener("focusout", settle);
    return () => {
      dom.removeEventListener("pointerdown", hide);
      removeEventListener("pointerup", settle);
      place?.removeEventListener("focusin", settle);
      place?.removeEventListener("focusout", settle);
    };
  }, [controller]);
  if (!isHere || shown === "") return null;
  const { from, to, on, href } = JSON.parse(shown) as Look;
  return on ? <Marks from={from} to={to} on={on} onLink={onLink} /> : <LinkSays from={from} to={to} href={href} onLink={onLink} />;
}

const BUBBLE = "z-40 flex max-w-[calc(100vw-1rem)] items-center gap-0.5 rounded-lg border border-line bg-raised p-1 shadow-high";

function Marks({ from, to, on, onLink }: { from: number; to: number; on: string[]; onLink: () => void }) {
  const { t, i18n } = useLingui();
  const controller = useEditor();
  const bar = useRef<HTMLDivElement>(null);
  const { refs, floatingStyles } = useBeside(from, to, matchMedia("(pointer: coarse)").matches ? "bottom" : "top");
  useRoving(bar);
  return (
    <div
      ref={(element) => {
        refs.setFloating(element);
        bar.current = element;
      }}
      style={floatingStyles}
      role="toolbar"
      aria-label={t`Formatting of the selection`}
      className={BUBBLE}
      onKeyDown={(event) => event.key === "Escape" && controller.view.focus()}
    >
      {MARKS.map(({ name, label, icon: Icon }) => (
        <Tool key={name} label={i18n._(label)} icon={<Icon />} pressed={on.includes(name)} onClick={() => controller.run(toggleDecorator(name))} />
      ))}
      <Tool label={t`Link`} icon={<Link />} onClick={onLink} />
    </div>
  );
}

function LinkSays({ from, to, href, onLink }: { from: number; to: number; href: unknown; onLink: () => void }) {
  const { t } = useLingui();
  const controller = useEditor();
  const { refs: { setFloating }, floatingStyles } = useBeside(from, to, "bottom-start");
  const address = typeof href === "string" ? href : "";
  const isOpenable = isLinkAddress(href) && /^https?:/i.test(address);
  return (
    <div ref={setFloating} style={floatingStyles} role="group" aria-label={t`Link`} className={BUBBLE}>
      <span dir="ltr" className="max-w-56 truncate px-2 text-sm text-muted">
        {address || t`No address`}
      </span>
      {!controller.isReadOnly && <Tool label={t`Edit link`} icon={<Pencil />} onClick={onLink} />}
      {isOpenable && <Tool label={t`Open in a new tab`} icon={<ExternalLink />} onClick={() => window.open(address, "_blank", "noopener,noreferrer")} />}
      {!controller.isReadOnly && (
        <Tool
          label={t`Remove link`}
          icon={<Unlink />}
          onClick={() =>
            controller.run((state, dispatch) => {
              dispatch?.(unlink(state));
              return true;
            })
          }
        />
      )}
    </div>
  );
}
