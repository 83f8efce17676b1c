// What is true of the words on the screen: that the server has them, or where they are instead.

import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { CircleAlert, CircleCheck, CloudOff, CloudUpload, GitMerge, Trash2 } from "lucide-react";
import type { ReactNode } from "react";

import { ApiError } from "~/api/errors";
import { cx } from "~/lib/cx";
import { useFormat } from "~/lib/format";

import { useCell } from "./model/cell";
import { useDraft, useItem, useSession } from "./model/context";
import { useRights } from "./model/rights";

export function SaveState({ onMistakes, onConflict }: { onMistakes: () => void; onConflict: () => void }) {
  const { t } = useLingui();
  const { time: timeOf } = useFormat();
  const session = useSession();
  const item = useItem();
  const isKept = useCell(session.journal.works);
  const standing = useDraft(({ standing }) => standing);
  const savedAt = useDraft(({ savedAt }) => savedAt);
  const problem = useDraft(({ problem }) => problem);
  const mistakes = useDraft(({ issues }) => issues.length);
  const hasUnsaved = useDraft(({ unsaved, removed }) => unsaved.length > 0 || Object.keys(removed).length > 0);
  const gone = useCell(session.gone);
  const { edit: mayEdit } = useRights();
  const isOwn = item?.authorId === session.author;
  const where = isKept ? t`kept in this browser` : t`not kept anywhere yet: leave this page open`;

  function told(): { icon: ReactNode; text: string; tone: string; onClick?: () => void } {
    if (gone) {
      const text = gone.trashed ? (hasUnsaved ? t`Not saved: moved to the trash, ${where}` : t`Moved to the trash`) : hasUnsaved ? t`Not saved: deleted, ${where}` : t`Deleted`;
      return { icon: <Trash2 />, text, tone: "text-warn" };
    }
    if (!mayEdit && (standing === "refused" || standing === "conflict")) {
      return { icon: <CircleAlert />, text: isOwn ? t`Not saved: published or scheduled meanwhile, ${where}` : t`Not saved: it belongs to somebody else now, ${where}`, tone: "text-warn" };
    }
    switch (standing) {
      case "saving":
        // Nothing moves: somebody is writing, and each picture of something that turns would be one more of the whole text.
        return { icon: <CloudUpload />, text: t`Saving…`, tone: "text-muted" };
      case "offline":
        return { icon: <CloudOff />, text: t`Not saved: offline, ${where}`, tone: "text-warn" };
      case "conflict":
        return { icon: <GitMerge />, text: t`Not saved: somebody else changed the same place, ${where}`, tone: "text-warn", onClick: onConflict };
      case "refused":
        if (problem instanceof ApiError && problem.status === 401) return { icon: <CircleAlert />, text: t`Not saved: you are signed out, ${where}`, tone: "text-bad", onClick: () => void session.retry() };
        if (problem instanceof ApiError && problem.code === "ENTRY_LOCKED") return { icon: <CircleAlert />, text: t`Not saved: somebody else is editing, ${where}`, tone: "text-warn" };
        if (problem instanceof ApiError && problem.status === 403) return { icon: <CircleAlert />, text: t`Not saved: you may not change this, ${where}`, tone: "text-bad", onClick: () => void session.retry() };
        if (problem instanceof ApiError && problem.code === "NOT_FOUND") return { icon: <CircleAlert />, text: t`Not saved: it is not there any more, ${where}`, tone: "text-bad", onClick: () => void session.retry() };
        if (mistakes === 0) return { icon: <CircleAlert />, text: t`Not saved: the server rejected it, ${where}`, tone: "text-bad", onClick: () => void session.retry() };
        return {
          icon: <CircleAlert />,
          text: item
            ? t`Not saved: ${plural(mistakes, { one: "# field needs a look", other: "# fields need a look" })}, ${where}`
            : t`Not saved yet: ${plural(mistakes, { one: "# field is missing", other: "# fields are missing" })}, ${where}`,
          tone: item ? "text-bad" : "text-muted",
          onClick: onMistakes,
        };
      case "saved":
        if (savedAt) {
          const time = timeOf(savedAt);
          return { icon: <CircleCheck />, text: t`Saved ${time}`, tone: "text-muted" };
        }
        return item ? { icon: <CircleCheck />, text: t`All changes saved`, tone: "text-muted" } : { icon: null, text: t`Nothing written yet`, tone: "text-muted" };
    }
  }

  const { icon, text, tone, onClick } = told();
  const look = cx("flex min-w-0 items-center gap-1.5 text-sm [&_svg]:size-4 [&_svg]:shrink-0", tone);
  // On a phone, what is well stands beside what can be done; what is not has a row of its own.
  const isWell = !gone && (standing === "saving" || standing === "saved");
  return (
    <div role="status" aria-live={standing === "saving" ? "off" : "polite"} className={cx("min-w-0", isWell ? "max-sm:grow max-sm:basis-24" : "max-sm:basis-full")}>
      {onClick ? (
        <button type="button" className={cx(look, "rounded-sm text-start underline decoration-dotted underline-offset-4 pointer-coarse:min-h-11")} onClick={onClick}>
          {icon}
          <span className="min-w-0">{text}</span>
        </button>
      ) : (
        <span className={look}>
          {icon}
          <span className="min-w-0">{text}</span>
        </span>
      )}
      {!isKept && standing === "saved" && (
        <p className="text-sm text-warn">
          <Trans>This browser does not keep drafts: unsaved changes are lost when you close this page.</Trans>
        </p>
      )}
    </div>
  );
}
