// Cards: a part of a page with a heading of its own.

import type { ReactNode } from "react";

import { cx } from "~/lib/cx";

interface CardProps {
  title?: ReactNode;
  description?: ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  children?: ReactNode;
  /** Content reaches the edges: for tables and lists. */
  flush?: boolean;
  /** Buttons below a line at the end. */
  footer?: ReactNode;
  className?: string;
  id?: string;
}

export function Card({ title, description, actions, children, flush, footer, className, id }: CardProps) {
  const heading = id ? `${id}-heading` : undefined;
  return (
    <section id={id} aria-labelledby={title ? heading : undefined} className={cx("min-w-0 rounded-lg border border-line bg-surface shadow-low", className)}>
      {(title || actions) && (
        <header className={cx("flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-5 pt-4.5", flush ? "pb-4" : "pb-1")}>
          <div className="min-w-0 grow basis-48">
            <h2 id={heading} className="text-md font-semibold">
              {title}
            </h2>
            {description && <p className="mt-0.5 text-muted">{description}</p>}
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
      )}
      {/* What reaches the edges is cut at the corners. Not by a scroll container: headers of tables stick to the screen. */}
      {children && <div className={flush ? cx("overflow-clip", !(title ?? actions) && "rounded-t-lg", !footer && "rounded-b-lg") : "px-5 pt-3.5 pb-5"}>{children}</div>}
      {footer && <footer className="flex flex-wrap justify-end gap-2 rounded-b-lg border-t border-line bg-sunken px-5 py-3">{footer}</footer>}
    </section>
  );
}

/** Names and values in two columns; in one on phones. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[minmax(8rem,auto)_1fr] sm:gap-y-2.5">{children}</dl>;
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 sm:col-span-2 sm:grid-cols-subgrid sm:gap-x-6">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
