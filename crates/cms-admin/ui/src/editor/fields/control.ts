// How controls look.

import { cx } from "~/lib/cx";

export const BOX =
  "control-text w-full min-w-0 rounded-md border border-line-strong bg-surface text-ink shadow-low transition-colors duration-100 " +
  "hover:border-muted disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted [&[readonly]]:bg-sunken " +
  "focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-bad pointer-coarse:min-h-11";

export const LINE = cx(BOX, "h-9 px-3");
export const AREA = cx(BOX, "px-3 py-2");
