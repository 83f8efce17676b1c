// Why something did not work with an entry, at its card.

import { CircleAlert } from "lucide-react";

import type { AnyEntry } from "~/api/types";

import { usePlanner } from "./planner";

export function Refusal({ entry }: { entry: AnyEntry }) {
  const reason = usePlanner().refusal(entry);
  if (reason === undefined) return null;
  return (
    <p role="alert" className="mt-1.5 flex items-start gap-1.5 text-sm text-bad">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{reason}</span>
    </p>
  );
}
