// The link of a row: it stands in the cell that names the row and reaches over all of it, so that wherever the row is clicked, and with
// whatever button or key, it is the browser's own link.

import { createLink } from "@tanstack/react-router";
import { createContext, useContext, type AnchorHTMLAttributes, type ButtonHTMLAttributes, type Ref } from "react";

import { cx } from "~/lib/cx";

/** Whether the row is the one that the Tab key leads to. Outside of a table that says so, each row is. */
export const ActiveRow = createContext(true);

/** What the parts of a row that the Tab key leads to say of it. */
export function useRowTab(): { tabIndex: 0 | -1 } {
  return { tabIndex: useContext(ActiveRow) ? 0 : -1 };
}

// The outline is drawn around the whole row, inside of it: beside it there is the next one.
const STRETCHED =
  "min-w-0 text-start font-medium outline-none after:absolute after:inset-0 after:rounded-sm after:-outline-offset-2 " +
  "focus-visible:after:outline-2 focus-visible:after:outline-focus hover:underline";

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };

function RowAnchor({ className, ...rest }: AnchorProps) {
  return <a data-control="title" {...useRowTab()} {...rest} className={cx(STRETCHED, className)} />;
}

/** The link of a row; takes `to`, `params` and `search` as `Link` does. */
export const RowLink = createLink(RowAnchor);

/** The same for rows that open something on the same screen. */
export function RowButton({ className, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" data-control="title" {...useRowTab()} {...rest} className={cx(STRETCHED, className)} />;
}
