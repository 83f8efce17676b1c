// The method of a request: what it does to the site, by its word and its colour.

import { cx } from "~/lib/cx";

const TONES: Record<string, string> = {
  GET: "text-accent-ink",
  POST: "text-good",
  PUT: "text-warn",
  PATCH: "text-warn",
  DELETE: "text-bad",
};

export function Method({ method, className }: { method: string; className?: string }) {
  return (
    <span dir="ltr" className={cx("font-mono text-xs font-semibold", TONES[method] ?? "text-muted", className)}>
      {method}
    </span>
  );
}
