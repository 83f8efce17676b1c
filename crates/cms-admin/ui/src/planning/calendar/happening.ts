// What happens to an entry, on a screen: what it is called, its icon and its colour, and whether it can be moved to another day.

import { useLingui } from "@lingui/react/macro";
import { CircleCheck, Clock, EyeOff, type LucideIcon } from "lucide-react";

import type { CalendarItem, CalendarKind } from "~/api/types";
import { toast } from "~/components/toast";
import { usePlanProblem } from "~/content/plan";
import { useTimeZone } from "~/content/site";

import { onDay } from "../days";
import { endsFirst, type PlanDeed } from "../steps";
import { usePlanner } from "../planner";

export const LOOKS: Record<CalendarKind, { icon: LucideIcon; chip: string; ink: string }> = {
  publish: { icon: Clock, chip: "border-accent-line bg-accent-soft text-accent-ink", ink: "text-accent-ink" },
  unpublish: { icon: EyeOff, chip: "border-warn-line bg-warn-soft text-warn", ink: "text-warn" },
  published: { icon: CircleCheck, chip: "border-line bg-surface text-ink", ink: "text-good" },
};

export function useKindWords(): Record<CalendarKind, string> {
  const { t } = useLingui();
  return { publish: t`Will be published`, unpublish: t`Will be unpublished`, published: t`Was published` };
}

/** What tells one line of a calendar from all others. */
export const keyOf = ({ kind, entry: { id } }: CalendarItem) => `${kind} ${id}`;

/** Moving what is planned to another day. */
export function useMoving() {
  const zone = useTimeZone();
  const problemOf = usePlanProblem();
  const { offers, isBusy, act } = usePlanner();
  const at = (item: CalendarItem, day: string) => onDay(item.at, day, zone);
  const deed = ({ kind }: CalendarItem, at: string): PlanDeed => ({ kind: kind === "publish" ? "schedule" : "end", at });
  /** Why it cannot be planned for a day. */
  const problem = ({ kind, entry }: CalendarItem, instant: string) => problemOf(instant, kind === "unpublish" ? entry.scheduledAt : undefined);
  return {
    isMovable: ({ kind, entry }: CalendarItem) => kind !== "published" && !isBusy(entry) && offers(entry).includes(kind === "publish" ? "schedule" : "end"),
    /** Whether it is another day, and one that it can be planned for. */
    fits: (item: CalendarItem, day: string) => {
      const instant = at(item, day);
      return instant !== undefined && problem(item, instant) === undefined && !endsFirst(item.entry, deed(item, instant));
    },
    move: (item: CalendarItem, day: string) => {
      const instant = at(item, day);
      if (instant === undefined || instant === item.at) return;
      const wrong = problem(item, instant);
      if (wrong === undefined) act(item.entry, deed(item, instant));
      else toast.bad(wrong);
    },
  };
}
