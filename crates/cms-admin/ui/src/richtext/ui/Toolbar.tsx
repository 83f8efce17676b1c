// The toolbar (WAI-ARIA "Toolbar"): one stop of Tab, arrows within it. What does not fit is in "More formatting".

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import {
  Bold, Code, Eraser, Ellipsis, FileCode, CircleHelp, IndentDecrease, IndentIncrease, Italic, Link, List, ListOrdered, Plus, Redo2, Search, Strikethrough, Subscript, Superscript, TextAlignCenter, TextAlignEnd, TextAlignStart, Underline, Undo2,
  ChevronDown, Settings2,
  type LucideIcon,
} from "lucide-react";
import { redo, redoDepth, undo, undoDepth } from "prosemirror-history";
import type { Command, EditorState } from "prosemirror-state";
import { useEffect, useRef, type ReactNode } from "react";

import { MenuLabel, MenuSeparator } from "~/components/Menu";
import { cx } from "~/lib/cx";
import { modKey } from "~/shell/keys";

import { attributesOf, clearMarks, hasDecorator, indent, outdent, selectedTexts, setAlignment, takesMarks, toggleDecorator, toggleList } from "../commands";
import { linkAt } from "../links";
import { object } from "../schema";
import { selectedAt } from "../selected";
import { isTyped } from "../value";
import { BlockMenu } from "./BlockMenu";
import { GROUPS, ITEMS, putIn, type Group } from "./catalog";
import { useEditor, useWatched } from "./context";
import { EditorMenu, KeyHint, MenuItem } from "./EditorMenu";
import { TableMenu } from "./TableMenu";

export interface ToolbarProps {
  onLink: () => void;
  onFind: () => void;
  onMarkdown: () => void;
  onHelp: () => void;
  onSettings: () => void;
}

export const MARKS: { name: string; label: MessageDescriptor; icon: LucideIcon; key?: string }[] = [
  { name: "strong", label: msg`Bold`, icon: Bold, key: "B" },
  { name: "em", label: msg`Italic`, icon: Italic, key: "I" },
  { name: "underline", label: msg`Underline`, icon: Underline, key: "U" },
  { name: "strike-through", label: msg`Strikethrough`, icon: Strikethrough, key: "Shift X" },
  { name: "code", label: msg`Inline code`, icon: Code, key: "E" },
  { name: "subscript", label: msg`Subscript`, icon: Subscript, key: "," },
  { name: "superscript", label: msg`Superscript`, icon: Superscript, key: "." },
];

const ALIGNMENTS: { value: string | null; label: MessageDescriptor; icon: LucideIcon }[] = [
  { value: null, label: msg`Align to the start`, icon: TextAlignStart },
  { value: "center", label: msg`Center`, icon: TextAlignCenter },
  { value: "right", label: msg`Align right`, icon: TextAlignEnd },
];

/** What the block with the caret is, or the one that is selected as a whole. */
function typeOf(state: EditorState): string {
  const node = selectedAt(state)?.node;
  const value: unknown = node?.type === object ? node.attrs.value : undefined;
  return isTyped(value) ? value._type : (node?.type.name ?? "");
}

/** What the toolbar shows of the state, as one text: it is drawn anew only when that changes. */
function look(state: EditorState): string {
  const [first] = selectedTexts(state);
  const { style = null, listItem = null, textAlign = null } = first ? attributesOf(first.node) : {};
  return JSON.stringify({
    kind: first ? (listItem ?? style ?? "normal") : typeOf(state),
    on: MARKS.filter(({ name }) => hasDecorator(state, name)).map(({ name }) => name),
    textAlign,
    isList: listItem !== null,
    canMark: takesMarks(state),
    isLink: linkAt(state) !== null,
    undo: undoDepth(state) > 0,
    redo: redoDepth(state) > 0,
  });
}

interface Look {
  kind: string;
  on: string[];
  textAlign: string | null;
  isList: boolean;
  canMark: boolean;
  isLink: boolean;
  undo: boolean;
  redo: boolean;
}

export function Toolbar({ onLink, onFind, onMarkdown, onHelp, onSettings }: ToolbarProps) {
  const { t, i18n } = useLingui();
  const controller = useEditor();
  const bar = useRef<HTMLDivElement>(null);
  const { kind, on, textAlign, isList, canMark, isLink, undo: canUndo, redo: canRedo } = JSON.parse(useWatched(look)) as Look;
  useRoving(bar);
  const run = (command: Command) => () => void controller.run(command);
  const current = ITEMS.find(({ id }) => id === kind);
  const mark = ({ name, label, icon: Icon, key }: (typeof MARKS)[number], className?: string) => (
    <Tool key={name} label={i18n._(label)} keys={key && modKey(key)} icon={<Icon />} pressed={on.includes(name)} disabled={!canMark} onClick={run(toggleDecorator(name))} className={className} />
  );
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t`Formatting`}
      aria-controls={controller.view.dom.id}
      className="rt-bar top-(--rt-top,0px) z-10 flex items-center gap-0.5 rounded-t-md overflow-x-auto border-b border-line bg-raised px-1.5 py-1 sm:sticky @max-md:px-0.5"
      onKeyDown={(event) => event.key === "Escape" && controller.view.focus()}
    >
      <EditorMenu
        trigger={
          <button type="button" className={cx(TOOL, "min-w-11 max-w-36 shrink! gap-1 px-2 font-medium")} aria-label={t`Type of block: ${current ? i18n._(current.label) : kind}`}>
            {current && <current.icon aria-hidden className="@md:hidden" />}
            <span className={cx("truncate", current && "@max-md:hidden")}>{current ? i18n._(current.label) : kind}</span>
            <ChevronDown aria-hidden />
          </button>
        }
      >
        {(choose) =>
          ITEMS.filter(({ turns }) => turns).map((item) => (
            <MenuItem key={item.id} icon={<item.icon />} onSelect={choose(run(item.run))}>
              <KeyHint keys={item.shortcut}>{i18n._(item.label)}</KeyHint>
            </MenuItem>
          ))
        }
      </EditorMenu>
      <Line className={NARROW} />
      {mark(MARKS[0] as (typeof MARKS)[number])}
      {mark(MARKS[1] as (typeof MARKS)[number], NARROW)}
      {mark(MARKS[2] as (typeof MARKS)[number], WIDE)}
      {mark(MARKS[3] as (typeof MARKS)[number], WIDE)}
      {mark(MARKS[4] as (typeof MARKS)[number], WIDE)}
      <Tool label={t`Link`} keys={modKey("K")} icon={<Link />} pressed={isLink} disabled={!canMark} onClick={onLink} />
      <Line className={WIDE} />
      <Tool label={t`Bulleted list`} keys={modKey("Shift 8")} icon={<List />} pressed={kind === "bullet"} onClick={run(toggleList("bullet"))} className={MIDDLE} />
      <Tool label={t`Numbered list`} keys={modKey("Shift 7")} icon={<ListOrdered />} pressed={kind === "number"} onClick={run(toggleList("number"))} className={MIDDLE} />
      {isList && (
        <>
          <Tool label={t`Move to a higher level`} keys="Shift Tab" icon={<IndentDecrease className="rtl:-scale-x-100" />} onClick={run(outdent)} className={WIDE} />
          <Tool label={t`Move to a deeper level`} keys="Tab" icon={<IndentIncrease className="rtl:-scale-x-100" />} onClick={run(indent)} className={WIDE} />
        </>
      )}
      <Line className={MIDDLE} />
      <EditorMenu trigger={<Tool label={t`Insert`} keys="/" icon={<Plus />} />}>
        {(choose) =>
          (Object.keys(GROUPS) as Group[]).map((group) => (
            <div key={group}>
              <MenuLabel>{i18n._(GROUPS[group])}</MenuLabel>
              {ITEMS.filter((item) => item.group === group).map((item) => (
                <MenuItem key={item.id} icon={<item.icon />} onSelect={choose(run(putIn(item)))}>
                  {i18n._(item.label)}
                </MenuItem>
              ))}
            </div>
          ))
        }
      </EditorMenu>
      <TableMenu trigger={(table) => <Tool label={t`Table`} icon={table} />} />
      <span className={cx("grow", NARROW)} />
      <Tool label={t`Undo`} keys={modKey("Z")} icon={<Undo2 className="rtl:-scale-x-100" />} disabled={!canUndo} onClick={run(undo)} className={MIDDLE} />
      <Tool label={t`Redo`} keys={modKey("Y")} icon={<Redo2 className="rtl:-scale-x-100" />} disabled={!canRedo} onClick={run(redo)} className={WIDE} />
      <BlockMenu onSettings={onSettings} trigger={<Tool label={t`Block`} keys={modKey("/")} icon={<Settings2 />} />} />
      <EditorMenu align="end" trigger={<Tool label={t`More formatting`} icon={<Ellipsis />} />}>
        {(choose) => (
          <>
            {MARKS.map(({ name, label, icon: Icon, key }) => (
              <MenuItem key={name} icon={<Icon />} disabled={!canMark} onSelect={choose(run(toggleDecorator(name)))}>
                <KeyHint keys={key && modKey(key)}>{i18n._(label)}</KeyHint>
              </MenuItem>
            ))}
            <MenuItem icon={<Eraser />} disabled={!canMark} onSelect={choose(run(clearMarks))}>
              <KeyHint keys={modKey("\\")}>{t`Clear formatting`}</KeyHint>
            </MenuItem>
            <MenuSeparator />
            {ALIGNMENTS.map(({ value, label, icon: Icon }) => (
              <MenuItem key={value} icon={<Icon />} disabled={textAlign === value} onSelect={choose(run(setAlignment(value)))}>
                {i18n._(label)}
              </MenuItem>
            ))}
            <MenuSeparator />
            <MenuItem icon={<Undo2 />} disabled={!canUndo} onSelect={choose(run(undo))}>
              <KeyHint keys={modKey("Z")}>{t`Undo`}</KeyHint>
            </MenuItem>
            <MenuItem icon={<Redo2 />} disabled={!canRedo} onSelect={choose(run(redo))}>
              <KeyHint keys={modKey("Y")}>{t`Redo`}</KeyHint>
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<Search />} onSelect={choose(onFind)}>
              <KeyHint keys={modKey("F")}>{t`Find and replace`}</KeyHint>
            </MenuItem>
            <MenuItem icon={<FileCode />} onSelect={choose(onMarkdown)}>
              {t`Edit as Markdown`}
            </MenuItem>
            <MenuItem icon={<CircleHelp />} onSelect={choose(onHelp)}>
              <KeyHint keys="Alt 0">{t`Shortcuts`}</KeyHint>
            </MenuItem>
          </>
        )}
      </EditorMenu>
    </div>
  );
}

/** Shown where there is room for everything, where there is some, and where there is little. */
const WIDE = "@max-2xl:hidden!";
const MIDDLE = "@max-md:hidden!";
const NARROW = "@max-sm:hidden!";

const TOOL =
  "inline-flex h-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-100 hover:bg-hover hover:text-ink disabled:opacity-40 aria-pressed:bg-accent-soft aria-pressed:text-accent-ink aria-expanded:bg-hover pointer-coarse:h-11 [&_svg]:size-4";

type ToolProps = Omit<React.ButtonHTMLAttributes<HTMLButtonElement>, "children"> & {
  ref?: React.Ref<HTMLButtonElement>;
  label: string;
  keys?: string | undefined;
  icon: ReactNode;
  pressed?: boolean;
};

/** A button of the toolbar. The keyboard stays in the text when it is clicked. */
export function Tool({ label, keys, icon, pressed, className, disabled, ...rest }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
      aria-disabled={disabled || undefined}
      onMouseDown={(event) => event.preventDefault()}
      className={cx(TOOL, "w-8 aria-disabled:opacity-40 pointer-coarse:w-11", className)}
      {...rest}
      onClick={disabled ? undefined : rest.onClick}
    >
      {icon}
    </button>
  );
}

function Line({ className }: { className?: string }) {
  return <span aria-hidden className={cx("mx-1 h-5 w-px @max-md:mx-0.5 shrink-0 bg-line", className)} />;
}

/** One button takes part in the order of Tab; arrows, Home and End go to the others that are shown. */
export function useRoving(bar: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current;
    if (!element) return;
    const buttons = () => Array.from(element.querySelectorAll("button")).filter((button) => button.offsetParent !== null);
    const settle = (current?: HTMLButtonElement) => {
      const all = buttons();
      const stop = current && all.includes(current) ? current : (all.find((button) => button.tabIndex === 0) ?? all[0]);
      for (const button of element.querySelectorAll("button")) button.tabIndex = button === stop ? 0 : -1;
    };
    const keydown = (event: KeyboardEvent) => {
      const all = buttons();
      const at = all.indexOf(document.activeElement as HTMLButtonElement);
      const isBackwards = getComputedStyle(element).direction === "rtl";
      const next = { ArrowRight: isBackwards ? at - 1 : at + 1, ArrowLeft: isBackwards ? at + 1 : at - 1, Home: 0, End: all.length - 1 }[event.key];
      if (at < 0 || next === undefined) return;
      event.preventDefault();
      all[(next + all.length) % all.length]?.focus();
    };
    const focusin = (event: FocusEvent) => settle((event.target as HTMLElement).closest("button") ?? undefined);
    settle();
    const observer = new MutationObserver(() => settle());
    observer.observe(element, { childList: true, subtree: true });
    const sizes = new ResizeObserver(() => settle());
    sizes.observe(element);
    element.addEventListener("keydown", keydown);
    element.addEventListener("focusin", focusin);
    return () => {
      observer.disconnect();
      sizes.disconnect();
      element.removeEventListener("keydown", keydown);
      element.removeEventListener("focusin", focusin);
    };
  }, [bar]);
}
