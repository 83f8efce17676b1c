// What is wrong with a date or a time, in words.

import { useLingui } from "@lingui/react/macro";

import { textsOf, type Place, type Problem } from "./reading";

export function useProblemText(place: Place): (problem: Problem) => string {
  const { t } = useLingui();
  const date = textsOf("2026-11-25", { ...place, kind: "date" }).date;
  const time = textsOf("14:30", { ...place, kind: "time" }).time;
  return (problem) => {
    switch (problem.code) {
      case "NO_DATE":
        return t`There is no such date. Write it like ${date}.`;
      case "NO_TIME":
        return t`There is no such time. Write it like ${time}.`;
      case "DATE_MISSING":
        return t`Add a date.`;
      case "TIME_MISSING":
        return t`Add a time.`;
      case "SKIPPED": {
        const next = textsOf(problem.next, { ...place, kind: "datetime" }).time;
        return t`Clocks go forward and skip this time. Take ${next}, or another time.`;
      }
      case "TOO_EARLY": {
        const { date, time } = textsOf(problem.min, place);
        const earliest = [date, time].filter(Boolean).join(" ");
        return t`This is too early. Choose ${earliest} or later.`;
      }
    }
  };
}
