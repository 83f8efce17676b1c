// A person's picture, or their initials.

import { cx } from "~/lib/cx";

/** Decorative: the name stands beside it. */
export function Avatar({ name, url, className }: { name: string; url?: string | null | undefined; className?: string }) {
  const look = cx("grid shrink-0 place-items-center overflow-hidden rounded-full bg-accent-soft text-sm font-semibold text-accent-ink", className ?? "size-8");
  if (url) return <img src={url} alt="" referrerPolicy="no-referrer" className={cx(look, "object-cover")} />;
  const words = name.split(/[\s@.]+/).filter(Boolean);
  const initials = words.slice(0, 2).map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase());
  // Drawn and not written: initials are a picture, and no text for those who hear the page or speak to it.
  return <span aria-hidden data-initials={initials.join("")} className={cx(look, "before:content-[attr(data-initials)]")} />;
}
