// Whose an entry is, in one line: its collection, its author, and its language where there are several.

import { authorName } from "~/content/authors";
import type { AnyEntry } from "~/api/types";
import { cx } from "~/lib/cx";

import { useNames } from "./names";

export function Byline({ entry: { type, authorId, locale }, className }: { entry: Pick<AnyEntry, "type" | "authorId" | "locale">; className?: string }) {
  const { collectionOf, authorOf, locales } = useNames();
  const author = authorOf(authorId);
  return (
    <p className={cx("flex min-w-0 max-w-full gap-x-1 text-sm text-muted", className)}>
      <bdi className="truncate">{collectionOf(type)?.label ?? type}</bdi>
      {author && (
        <>
          <span aria-hidden>·</span>
          <bdi className="truncate">{authorName(author)}</bdi>
        </>
      )}
      {locales.length > 1 && (
        <>
          <span aria-hidden>·</span>
          <bdi className="shrink-0">{locale}</bdi>
        </>
      )}
    </p>
  );
}
