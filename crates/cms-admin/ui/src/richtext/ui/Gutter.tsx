// Beside the block that is pointed at: "+" to put something behind it, and a handle that moves it and opens its menu.
// All of it can be done from the toolbar and by keys too, so these are no stops of Tab.

import { useLingui } from "@lingui/react/macro";
import { GripVertical, Plus } from "lucide-react";
import { Fragment, Slice } from "prosemirror-model";
import { NodeSelection, TextSelection } from "prosemirror-state";
import { useEffect, useRef, useState } from "react";

import { blockAt } from "../blocks";
import { drag } from "../drag";
import { object, textBlock } from "../schema";
import { BlockMenu } from "./BlockMenu";
import { useEditor, useWatched } from "./context";

export function Gutter({ onSettings }: { onSettings: () => void }) {
  const { t } = useLingui();
  const controller = useEditor();
  const [block, setBlock] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [top, setTop] = useState(0);
  /** Whether the menu was open when the handle was pressed, which closes it. */
  const wasOpen = useRef(false);
  // Where blocks are may change with each letter.
  useWatched((state) => state.doc);

  useEffect(() => {
    const { dom } = controller.view;
    const place = dom.closest<HTMLElement>(".rt");
    if (!place) return;
    const move = (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || event.buttons > 0) return;
      const found = at(dom, event.clientY);
      setBlock(found);
      if (found) setTop(found.getBoundingClientRect().top - dom.getBoundingClientRect().top);
    };
    const leave = () => setBlock(null);
    place.addEventListener("pointermove", move);
    place.addEventListener("pointerleave", leave);
    return () => {
      place.removeEventListener("pointermove", move);
      place.removeEventListener("pointerleave", leave);
    };
  }, [controller]);

  if (controller.isReadOnly || (!isOpen && !block?.isConnected)) return null;

  const position = (): number | null => {
    if (!block?.isConnected) return null;
    const inside = controller.view.posAtDOM(block, 0);
    const $at = controller.state.doc.resolve(inside);
    return $at.depth > 0 ? $at.before(1) : inside;
  };
  const open = (isOpen: boolean) => {
    if (isOpen) select();
    setIsOpen(isOpen);
  };
  const select = () => {
    const start = position();
    const node = start === null ? null : controller.state.doc.nodeAt(start);
    if (start === null || !node) return;
    const { tr, doc } = controller.state;
    controller.view.dispatch(tr.setSelection(node.type === object ? NodeSelection.create(doc, start) : TextSelection.near(doc.resolve(start + 1))));
  };
  const add = () => {
    const start = position();
    const node = start === null ? null : controller.state.doc.nodeAt(start);
    if (start === null || !node) return;
    const isEmpty = node.type === textBlock && node.content.size === 0;
    const transaction = controller.state.tr;
    const behind = start + node.nodeSize;
    if (!isEmpty) transaction.insert(behind, textBlock.create());
    transaction.setSelection(TextSelection.create(transaction.doc, (isEmpty ? start : behind) + 1));
    controller.view.dispatch(transaction);
    controller.view.dispatch(controller.state.tr.insertText("/").scrollIntoView());
    controller.view.focus();
  };
  const startDrag = (event: React.DragEvent) => {
    const start = position();
    if (start === null) return;
    const { from, to, nodes } = blockAt(controller.state.doc, start);
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", nodes.map((node) => node.textContent).join("\n"));
    if (block) event.dataTransfer.setDragImage(block, 0, 0);
    drag.begin(controller.view, { doc: controller.state.doc, from, to, slice: new Slice(Fragment.from(nodes), 0, 0) });
  };
  const BUTTON = "grid h-6 w-5 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink [&_svg]:size-4";
  return (
    <div className="rt-gutter absolute z-10 flex" style={{ top: `${top + 2}px` }}>
      <button type="button" tabIndex={-1} aria-label={t`Insert below`} title={t`Insert below`} onMouseDown={(event) => event.preventDefault()} onClick={add} className={BUTTON}>
        <Plus />
      </button>
      {/* A menu opens when its own button is pressed, which would keep the press from becoming a drag: the handle opens it by a click. */}
      <BlockMenu open={isOpen} onOpenChange={open} onSettings={onSettings} trigger={<button type="button" tabIndex={-1} aria-label={t`Block`} className="pointer-events-none absolute inset-y-0 end-0 w-5" />} />
      <button
        type="button"
        tabIndex={-1}
        draggable
        onPointerDown={() => (wasOpen.current = isOpen)}
        onClick={() => open(!wasOpen.current)}
        onDragStart={startDrag}
        onDragEnd={() => {
          drag.end(controller.view);
        }}
        aria-label={t`Move, or open the menu`}
        title={t`Drag to move, click for the menu`}
        className={`${BUTTON} cursor-grab`}
      >
        <GripVertical />
      </button>
    </div>
  );
}

/** The block at a height. They stand below one another, so half of them can be left out each time. */
function at(dom: HTMLElement, y: number): HTMLElement | null {
  const { children } = dom;
  let [low, high] = [0, children.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const child = children[middle] as HTMLElement;
    const { top, bottom } = child.getBoundingClientRect();
    if (y < top - 4) high = middle - 1;
    else if (y > bottom + 4) low = middle + 1;
    else return child;
  }
  return null;
}
