// A list of things, each with an icon, a name, what is known of it, and what can be done with it.

import type { ReactNode } from "react";

interface RowProps {
  icon?: ReactNode;
  /** What it is called. */
  title: ReactNode;
  /** States, beside the name. */
  badges?: ReactNode;
  /** What is known of it, in a line below. */
  children?: ReactNode;
  /** Buttons at the end; below the rest on phones. */
  actions?: ReactNode;
}

/** The frame of the rows; reaches from edge to edge in a `flush` card. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line border-t border-line">
      {children}
    </ul>
  );
}

export function Row({ icon, title, badges, children, actions }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-5 py-3.5">
      {icon && (
        <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-md border border-line bg-sunken text-muted [&_svg]:size-[1.125rem]">
          {icon}
        </span>
      )}
      <div className="grid min-w-0 grow basis-52 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium break-words">{title}</span>
          {badges}
        </div>
        {children && <div className="min-w-0 text-sm break-words text-muted">{children}</div>}
      </div>
      {actions && <div className="flex shrink-0 gap-1.5 max-sm:w-full max-sm:ps-13">{actions}</div>}
    </li>
  );
}
