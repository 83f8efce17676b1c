// Dragging an item of a list by its handle, with mouse, pen or finger, and dropping one on it.

import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect, useEffectEvent, useState, type RefObject } from "react";

import { placeOf } from "~/lib/move";

interface Dragging {
  /** The list's own name: an item of another list does not belong here. */
  list: string;
  index: number;
  disabled: boolean;
  item: RefObject<HTMLElement | null>;
  handle: RefObject<HTMLElement | null>;
  onStart: () => void;
  onDrop: (from: number, to: number) => void;
}

/** Where what is dragged over an item would be put. */
export type Edge = "before" | "behind" | undefined;

export function useDragging({ list, index, disabled, item, handle, onStart, onDrop }: Dragging) {
  const [isDragged, setDragged] = useState(false);
  const [edge, setEdge] = useState<Edge>();
  const at = useEffectEvent(() => ({ list, index }));
  const start = useEffectEvent(onStart);
  const drop = useEffectEvent((from: number, isBehind: boolean) => onDrop(from, placeOf(from, index, isBehind)));
  const edgeOf = useEffectEvent((from: unknown, y: number): Edge => {
    if (typeof from !== "number" || from === index || !item.current) return undefined;
    const { top, height } = item.current.getBoundingClientRect();
    const isBehind = y > top + height / 2;
    return placeOf(from, index, isBehind) === from ? undefined : isBehind ? "behind" : "before";
  });

  useEffect(() => {
    const [element, grip] = [item.current, handle.current];
    if (!element || !grip || disabled) return;
    return combine(
      // The handle is what can be dragged, and not the item: a browser would not let people mark text in the item's fields.
      draggable({
        element: grip,
        getInitialData: at,
        onGenerateDragPreview: ({ nativeSetDragImage, location }) => {
          const { left, top } = element.getBoundingClientRect();
          const { clientX, clientY } = location.initial.input;
          nativeSetDragImage?.(element, clientX - left, clientY - top);
        },
        onDragStart: () => {
          start();
          setDragged(true);
        },
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.list === at().list,
        onDrag: ({ source, location }) => setEdge(edgeOf(source.data.index, location.current.input.clientY)),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ source, location }) => {
          setEdge(undefined);
          // Of lists within lists, the innermost decides.
          if (location.current.dropTargets[0]?.element !== element || typeof source.data.index !== "number") return;
          const { top, height } = element.getBoundingClientRect();
          drop(source.data.index, location.current.input.clientY > top + height / 2);
        },
      }),
    );
  }, [disabled, item, handle]);

  return { isDragged, edge };
}
