// What was chosen last, remembered in this browser.

import type { Option } from "./source";

/** How many are offered first. */
const MOST = 5;

/** Options that were chosen last, the newest first. */
export function recent(key: string): Option[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(`cms-picker-${key}`) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isOption) : [];
  } catch {
    return [];
  }
}

function isOption(value: unknown): value is Option {
  return typeof value === "object" && value !== null && "id" in value && "label" in value && typeof value.id === "string" && typeof value.label === "string";
}

/** Puts an option in front. */
export function remember(key: string, { id, label, hint }: Option): void {
  try {
    const rest = recent(key).filter((option) => option.id !== id);
    localStorage.setItem(`cms-picker-${key}`, JSON.stringify([{ id, label, hint }, ...rest].slice(0, MOST)));
  } catch {
    // Without storage nothing is recent.
  }
}
