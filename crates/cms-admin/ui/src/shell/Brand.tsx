// Which site this is: the mark of the house and the name of the site.

import { useSiteName } from "~/door/queries";
import { cx } from "~/lib/cx";

export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M9 11.5h14M9 16h14M9 20.5h8" stroke="var(--on-accent)" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  );
}

/** In the frame of the screens a long name is cut off; before the door, where people must see whose door it is, it goes on in another line. */
export function Brand({ atDoor = false }: { atDoor?: boolean }) {
  const name = useSiteName();
  return (
    <span className={cx("flex min-w-0 items-center", atDoor ? "gap-3" : "gap-2.5")}>
      <Mark className={cx("shrink-0", atDoor ? "size-10" : "size-7")} />
      <span dir="auto" title={atDoor ? undefined : name} className={cx("min-w-0 text-md font-semibold", atDoor ? "wrap-anywhere" : "truncate")}>
        {name}
      </span>
    </span>
  );
}
