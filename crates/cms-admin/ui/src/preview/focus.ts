// Leaves the focus with whoever writes: pages of sites take it when they load or draw what changed, and what is typed then would go to them. A page in a frame of
// another origin says nothing of what happens in it, so that what leads to it is looked at from here: the pointer that is over it, or a step by the key Tab.

/** For how long after a key was pressed here nobody has taken the pointer to click into the frame, in milliseconds. */
const TYPING = 1_000;

/** Gives the focus back that the frame took by itself. Answers with what ends that. */
export function keepFocus(frame: () => HTMLIFrameElement | null): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let last = document.activeElement;
  let pressedAt = -Infinity;
  let isStepping = false;

  const isMeant = () => {
    // Fingers are over nothing before they touch it.
    if (isStepping || matchMedia("(hover: none)").matches) return true;
    return (frame()?.matches(":hover") ?? false) && performance.now() - pressedAt > TYPING;
  };

  const giveBack = () => {
    const element = frame();
    if (element === null || document.activeElement !== element || isMeant()) return;
    // The frame has it, and not this page: that one is asked for first.
    window.focus();
    if (last instanceof HTMLElement && last.isConnected && last !== document.body) last.focus({ preventScroll: true });
    else element.blur();
  };

  document.addEventListener(
    "focusin",
    ({ target }) => {
      if (!(target instanceof Element) || target === frame()) return;
      last = target;
      isStepping = false;
    },
    { signal },
  );
  document.addEventListener(
    "keydown",
    ({ key }) => {
      pressedAt = performance.now();
      isStepping = key === "Tab";
    },
    { signal, capture: true },
  );
  document.addEventListener("pointerdown", () => (isStepping = false), { signal, capture: true });
  // The window loses the focus to what is in a frame, as it does to another window.
  // Where it goes to is known a moment later, and a focus that is given back before goes to the frame after all.
  let timer: ReturnType<typeof setTimeout> | undefined;
  window.addEventListener("blur", () => (timer = setTimeout(giveBack)), { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  return () => controller.abort();
}
