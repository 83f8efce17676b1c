// Things that are dragged with mouse, pen or finger, and the places that they can be dropped on.

import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect, useEffectEvent, useState, type RefObject } from "react";

/** Marks what is dragged as one of ours: other parts of the page drag other things. */
const OURS = Symbol("dragged");

type Data = Record<string | symbol, unknown>;

const ours = <Dragged>(data: Data) => data[OURS] as Dragged | undefined;

/** Has an element be dragged, with what it stands for. Says whether it is. */
export function useDraggable<Dragged extends object>(element: RefObject<HTMLElement | null>, dragged: Dragged | undefined): boolean {
  const [isDragged, setDragged] = useState(false);
  const data = useEffectEvent(() => ({ [OURS]: dragged }));
  const isPossible = dragged !== undefined;
  useEffect(() => {
    if (!element.current || !isPossible) return;
    return draggable({
      element: element.current,
      getInitialData: () => data(),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    });
  }, [element, isPossible]);
  return isDragged;
}

interface Place<Dragged> {
  /** Whether it has anything to say to what is dragged: where it has not, nothing happens there. */
  takes: (dragged: Dragged) => boolean;
  onDrop: (dragged: Dragged) => void;
}

/** Has an element be dropped on. Answers with what is over it. */
export function useDropPlace<Dragged extends object>(element: RefObject<HTMLElement | null>, { takes, onDrop }: Place<Dragged>): Dragged | undefined {
  const [over, setOver] = useState<Dragged>();
  const isTaken = useEffectEvent((data: Data) => {
    const dragged = ours<Dragged>(data);
    return dragged !== undefined && takes(dragged);
  });
  const drop = useEffectEvent((data: Data) => {
    const dragged = ours<Dragged>(data);
    if (dragged) onDrop(dragged);
  });
  useEffect(() => {
    if (!element.current) return;
    return dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => isTaken(source.data),
      onDragEnter: ({ source }) => setOver(ours(source.data)),
      onDragLeave: () => setOver(undefined),
      onDrop: ({ source }) => {
        setOver(undefined);
        drop(source.data);
      },
    });
  }, [element]);
  return over;
}
