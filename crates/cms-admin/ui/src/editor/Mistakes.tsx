// Everything that keeps an entry from being saved or published, each with a way to where it is.

import { Plural, useLingui } from "@lingui/react/macro";
import { forwardRef } from "react";

import { Notice } from "~/components/Notice";

import { elementId } from "./fields/EntryField";
import { issueText } from "./fields/messages";
import { useCell } from "./model/cell";
import { nameIn, useDraft, useSession } from "./model/context";
import { usePlaceName } from "./model/names";

export function jumpTo(path: string): void {
  const place = document.getElementById(elementId(nameIn(path)));
  if (!place) return;
  place.closest("details")?.setAttribute("open", "");
  place.scrollIntoView({ block: "center" });
  place.querySelector<HTMLElement>("[aria-invalid], input, textarea, select, [contenteditable], [data-code], button")?.focus({ preventScroll: true });
}

export const Mistakes = forwardRef<HTMLDivElement, { onJump: (path: string) => void }>(function Mistakes({ onJump }, ref) {
  const { t } = useLingui();
  const session = useSession();
  const isTried = useCell(session.isTried);
  const issues = useDraft(({ issues }) => issues);
  const placeName = usePlaceName();
  if (!isTried || issues.length === 0) return null;
  const rulesOf = (path: string) => session.fields.find(({ slug }) => slug === nameIn(path))?.validation ?? undefined;
  return (
    <div ref={ref} tabIndex={-1} className="scroll-mt-32 outline-none" aria-label={t`What needs a look`} role="region">
      <Notice tone="bad" title={<Plural value={issues.length} one="# thing needs a look" other="# things need a look" />}>
        <ul className="grid gap-0.5">
          {issues.map((issue, n) => (
            <li key={n}>
              <button type="button" className="rounded-sm text-start underline underline-offset-2 pointer-coarse:min-h-11" onClick={() => onJump(issue.path)}>
                {placeName(issue.path)}
              </button>
              {": "}
              {issueText(issue, rulesOf(issue.path))}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
});
