// Whether somebody is in the middle of typing: what opens then, takes the next letters for its own.

/** How long no key is pressed before somebody counts as pausing, in milliseconds. */
const PAUSE = 1_000;

let last = -Infinity;

for (const event of ["keydown", "input", "compositionupdate"] as const) {
  document.addEventListener(event, (event) => isTyping(event) && !isCommand(event) && (last = performance.now()), { capture: true, passive: true });
}

/** Whether a key belongs to what it is pressed in, which may be in a shadow root. */
export function isTyping(event: Event): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

/** Whether a key is pressed for what it does, such as saving, and writes nothing. Some keyboards write letters with Control and Alt. */
function isCommand(event: Event): boolean {
  return event instanceof KeyboardEvent && (event.metaKey || (event.ctrlKey && !event.altKey));
}

/** Resolves when nobody is typing, at once where nobody is. */
export async function pauseInTyping(): Promise<void> {
  for (let rest: number; (rest = last + PAUSE - performance.now()) > 0; ) await new Promise((resolve) => setTimeout(resolve, rest));
}
