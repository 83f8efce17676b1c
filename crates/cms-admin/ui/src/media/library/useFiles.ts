// Files that come to a screen from outside: dropped anywhere on it, or pasted.

import { useEffect, useEffectEvent, useState } from "react";

import { isTyping } from "~/lib/typing";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;

/** Takes files that are dropped or pasted. Says whether some are held over the window. */
export function useFiles(onFiles: ((files: File[]) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false);
  const isTaking = onFiles !== undefined;
  const take = useEffectEvent((files: FileList | undefined) => {
    if (files && files.length > 0) onFiles?.([...files]);
  });
  useEffect(() => {
    if (!isTaking) return;
    // Of an element within an element, leaving one is told after entering the other.
    let depth = 0;
    const listening = new AbortController();
    const { signal } = listening;
    const isElsewhere = () => document.querySelector("[data-modal]") !== null;
    addEventListener(
      "dragenter",
      (event) => {
        if (!hasFiles(event) || isElsewhere()) return;
        depth += 1;
        setOver(true);
      },
      { signal },
    );
    addEventListener("dragleave", (event) => hasFiles(event) && (depth = Math.max(depth - 1, 0)) === 0 && setOver(false), { signal });
    // Without this the browser would open the file in place of the page.
    addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault(), { signal });
    addEventListener(
      "drop",
      (event) => {
        if (!hasFiles(event)) return;
        const isHere = !event.defaultPrevented && !isElsewhere();
        event.preventDefault();
        depth = 0;
        setOver(false);
        if (isHere) take(event.dataTransfer?.files);
      },
      { signal },
    );
    addEventListener("paste", (event) => !isTyping(event) && !isElsewhere() && take(event.clipboardData?.files), { signal });
    return () => listening.abort();
  }, [isTaking]);
  return isOver;
}
