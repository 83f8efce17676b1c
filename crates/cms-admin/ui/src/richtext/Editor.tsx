// The editor with all that is around the text.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import { Plugin } from "prosemirror-state";
import { search } from "prosemirror-search";
import { useCallback, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from "react";

import { IconButton } from "~/components/Button";
import { isMod } from "~/shell/keys";

import { Controller, type Settings } from "./controller";
import { dragging } from "./drag";
import { highlight } from "./highlight";
import { markdownRules } from "./inputrules";
import { clipboard, type PasteNews } from "./paste/plugin";
import { blockOf, selectedAt, update, type SelectedBlock } from "./selected";
import { slash } from "./slash";
import { BlockMenu } from "./ui/BlockMenu";
import { Bubble } from "./ui/Bubble";
import { EditorContext } from "./ui/context";
import { FindBar } from "./ui/FindBar";
import { Gutter } from "./ui/Gutter";
import { Help } from "./ui/Help";
import { LinkForm } from "./ui/LinkForm";
import { MarkdownView } from "./ui/MarkdownView";
import { Portals } from "./ui/Portals";
import { SettingsDialog } from "./ui/SettingsDialog";
import { SlashMenu } from "./ui/SlashMenu";
import { Toolbar } from "./ui/Toolbar";
import { nodeViews, Shelf } from "./ui/views";
import type { Blocks } from "./value";

import "./richtext.css";

/** What whoever shows the editor can do with it. */
export interface RichTextHandle {
  /** Tells at once what was written: before something is saved or published. */
  flush: () => void;
  focus: () => void;
  /** Goes to the block with a key, as from an outline. */
  goTo: (key: string) => void;
}

interface EditorProps {
  settings: Settings;
  value: Blocks | null | undefined;
  invalid: boolean;
  onSelectBlock?: ((selected: SelectedBlock | null) => void) | undefined;
  handle?: Ref<RichTextHandle> | undefined;
}

const NEWS: Record<PasteNews, MessageDescriptor> = {
  tooMuch: msg`This is too much to paste at once. Paste it in smaller parts: up to two million characters fit.`,
  wordsOnly: msg`This was too long to keep its formatting, so only its text was pasted.`,
  cut: msg`Very long lines were split into several paragraphs.`,
  files: msg`Files cannot be pasted into the text.`,
  markdown: msg`Pasted as Markdown. Undo, or paste with Shift to get plain text.`,
};

type Panel = "link" | "find" | "markdown" | "help" | "block" | "settings" | null;

export function Editor({ settings, value, invalid, onSelectBlock, handle }: EditorProps) {
  const { t, i18n } = useLingui();
  const place = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [controller, setController] = useState<Controller | null>(null);
  const [shelf] = useState(() => new Shelf());
  const [panel, open] = useState<Panel>(null);
  const [news, say] = useState<PasteNews | null>(null);
  const first = useRef({ value, settings, hasPanel: onSelectBlock !== undefined });
  const told = useRef(onSelectBlock);
  // The toolbar stays in sight below what the page keeps there; on a phone it does not, but what the page keeps does.
  const covered = useCallback(() => {
    const bar = frame.current?.querySelector<HTMLElement>("[role=toolbar]");
    if (!bar) return 0;
    const { position, top } = getComputedStyle(bar);
    return (Number.parseFloat(top) || 0) + (position === "sticky" ? bar.offsetHeight : 0);
  }, []);
  useLayoutEffect(() => {
    told.current = onSelectBlock;
  });

  useLayoutEffect(() => {
    if (!place.current) return;
    const { value, settings, hasPanel } = first.current;
    const toToolbar = () => frame.current?.querySelector<HTMLElement>("[role=toolbar] [tabindex='0']")?.focus();
    const panels = new Plugin({ props: { handleKeyDown: (_view, event) => handlePanelKey(event, open, toToolbar) } });
    const made = new Controller(place.current, value, { ...settings, covered }, [panels, slash(), dragging(), clipboard(say), markdownRules(), search(), highlight()], { nodeViews: nodeViews(shelf) }, hasPanel);
    const unsubscribe = tellSelected(made, (selected) => told.current?.(selected));
    setController(made);
    return () => {
      unsubscribe();
      made.destroy();
    };
  }, [shelf, covered]);
  useLayoutEffect(() => controller?.set({ ...settings, covered }));
  useLayoutEffect(() => controller?.take(value), [controller, value]);
  useImperativeHandle(handle, () => ({ flush: () => controller?.flush(), focus: () => controller?.view.focus(), goTo: (key) => controller?.goTo(key) }), [controller]);

  const close = () => open(null);
  const isMarkdown = panel === "markdown";
  return (
    <div ref={frame} className="rt" data-invalid={invalid || undefined} data-readonly={settings.readOnly || undefined}>
      <EditorContext value={controller}>
        {controller && !settings.readOnly && !isMarkdown && <Toolbar onLink={() => open("link")} onFind={() => open("find")} onMarkdown={() => open("markdown")} onHelp={() => open("help")} onSettings={() => open("settings")} />}
        {controller && panel === "find" && <FindBar onClose={close} />}
        {controller && isMarkdown && <MarkdownView onClose={close} />}
        <div className="rt-body" hidden={isMarkdown}>
          <div ref={place} />
          {controller && (
            <>
              <Portals shelf={shelf} />
              <Gutter onSettings={() => open("settings")} />
              <SlashMenu />
              {panel !== "link" && <Bubble onLink={() => open("link")} />}
              {panel === "link" && <LinkForm onClose={close} />}
              {panel === "block" && (
                <BlockMenu open onOpenChange={(isOpen) => !isOpen && open((panel) => (panel === "block" ? null : panel))} onSettings={() => open("settings")} trigger={<button type="button" tabIndex={-1} aria-label={t`Block`} className="absolute end-2 top-2 size-0 overflow-hidden" />} />
              )}
              {panel === "settings" && <SettingsDialog onClose={close} />}
              <Help open={panel === "help"} onClose={close} />
            </>
          )}
        </div>
        <div role="status">
          {news && (
            <p className="flex items-center gap-2 rounded-b-md border-t border-line bg-sunken px-3 py-1.5 text-sm">
              <span className="grow">{i18n._(NEWS[news])}</span>
              <IconButton size="sm" label={t`Dismiss`} icon={<X />} onClick={() => say(null)} />
            </p>
          )}
        </div>
      </EditorContext>
    </div>
  );
}

/** Keys that open something around the text. */
function handlePanelKey(event: KeyboardEvent, open: (panel: Panel) => void, toToolbar: () => void): boolean {
  const key = event.key.toLowerCase();
  if (event.altKey && event.key === "F10") toToolbar();
  else if (event.altKey && !isMod(event) && event.code === "Digit0") open("help");
  else if (!isMod(event) || event.altKey) return false;
  else if (key === "k" && !event.shiftKey) open("link");
  else if (key === "f" && !event.shiftKey) open("find");
  else if (event.key === "/") open("block");
  else return false;
  return true;
}

/** Tells which block is chosen, when it is another one or has changed. */
function tellSelected(controller: Controller, tell: (selected: SelectedBlock | null) => void): () => void {
  let last: unknown = null;
  return controller.subscribe(() => {
    const at = selectedAt(controller.state);
    if ((at?.node ?? null) === last) return;
    last = at?.node ?? null;
    const block = at && blockOf(at.node);
    tell(
      block
        ? {
            block,
            update: (members) => {
              const now = selectedAt(controller.state);
              if (now && !controller.isReadOnly) controller.view.dispatch(update(controller.state.tr, now.position, members));
            },
          }
        : null,
    );
  });
}
