// Arrow keys in a table of days: along to the days beside, up and down through what is on a day, and on to the week before and after.

import { useLingui } from "@lingui/react";
import type { KeyboardEvent } from "react";

import { direction } from "~/lib/language";

/** What can have the focus on a day. */
const STOPS = "a[href], [role=button]";

const stopsOf = (day: Element | null | undefined) => [...(day?.querySelectorAll<HTMLElement>(STOPS) ?? [])];

/** A listener for the body of the table. */
export function useGridKeys(): (event: KeyboardEvent<HTMLElement>) => void {
  const { i18n } = useLingui();
  const onwards = direction(i18n.locale) === "rtl" ? "ArrowLeft" : "ArrowRight";
  return (event) => {
    if (!event.key.startsWith("Arrow") || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !(event.target instanceof HTMLElement)) return;
    const day = event.target.closest<HTMLElement>("[data-day]");
    // What is open over a day has keys of its own.
    if (!day || !event.currentTarget.contains(day)) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-day]")];
    const at = all.indexOf(day);
    const stops = stopsOf(day);
    const place = stops.indexOf(event.target);
    const isAlong = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const step = isAlong ? (event.key === onwards ? 1 : -1) : event.key === "ArrowDown" ? 1 : -1;
    const target = isAlong ? stopsOf(all[at + step])[0] : (stops[place + step] ?? stopsOf(all[at + step * 7]).at(step > 0 ? 0 : -1));
    if (!target) return;
    event.preventDefault();
    target.focus();
  };
}
