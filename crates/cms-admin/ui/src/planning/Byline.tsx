// Whose an entry is, in one line: its collection, its author, and its language where there are several.

import { authorName } from "~/content/authors";
import type { AnyEntry } from "~/api/types";
import { cx } from "~/lib/cx";

import { useNames } from "./names";

export function Byline({ entry: { type, authorId, locale }, className }: { entry: Pick<AnyEntry, "type" | "authorId" | "locale">; className?: string }) {
  const { collectionOf, authorOf, locales } = useNames();
  const author = authorOf(authorId);
  const parts = [collectionOf(type)?.label ?? type, author && authorName(author), locales.length > 1 && locale].filter((part) => part !== undefined && part !== false);
  return (
    <p className={cx("truncate text-sm text-muted", className)}>
      {parts.map((part, n) => (
        <span key={n}>
          {n > 0 && " · "}
          <bdi>{part}</bdi>
        </span>
      ))}
    </p>
  );
}
