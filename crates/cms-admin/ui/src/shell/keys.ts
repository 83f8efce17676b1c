// Keys as people know them on their keyboard.

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A key with the modifier of the system, as in `⌘K` or `Ctrl K`. */
export function modKey(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl ${key}`;
}

/** Whether the modifier of the system is held. */
export function isMod(event: KeyboardEvent): boolean {
  return isApple ? event.metaKey : event.ctrlKey;
}

const KEY = "cms-shortcuts";

/** Whether single letters are shortcuts. People who dictate or press keys by mistake can turn them off (WCAG 2.2, 2.1.4). */
export function hasLetterShortcuts(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

export function setLetterShortcuts(isOn: boolean): void {
  try {
    localStorage.setItem(KEY, isOn ? "on" : "off");
  } catch {
    // The choice then holds until the page is closed.
  }
}
