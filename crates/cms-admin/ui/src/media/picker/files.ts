// Files that are dropped and pasted.

import { useEffect, useState, type ClipboardEvent, type DragEvent } from "react";

/** Whether what is dragged are files. */
export const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes("Files") ?? false;

/** A place that takes files. */
export function useFileDrop(take: ((files: File[]) => void) | undefined) {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    place: take && {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.stopPropagation();
        event.dataTransfer.dropEffect = "copy";
        setOver(true);
      },
      onDragLeave: (event: DragEvent) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        setOver(false);
        const files = Array.from(event.dataTransfer.files);
        if (files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        take(files);
      },
      onPaste: (event: ClipboardEvent) => {
        const files = Array.from(event.clipboardData.files);
        if (files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        take(files);
      },
    },
  };
}

/** A file that is dropped beside every place for it does nothing: browsers would open it, and the page would be gone. */
export function useDropGuard(): void {
  useEffect(() => {
    const guard = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer && event.type === "dragover") event.dataTransfer.dropEffect = "none";
    };
    addEventListener("dragover", guard);
    addEventListener("drop", guard);
    return () => {
      removeEventListener("dragover", guard);
      removeEventListener("drop", guard);
    };
  }, []);
}
