// The head of a screen: its name, which is also the window's, a sentence about it, and its main action.

import type { ReactNode } from "react";

import { Title } from "./Title";

interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** A link to the screen above. */
  back?: ReactNode;
}

export function PageHeader({ title, description, actions, back }: PageHeaderProps) {
  return (
    <header className="mb-6">
      <Title>{title}</Title>
      {back && <div className="mb-2 text-sm text-muted [&_a]:inline-flex [&_a]:items-center [&_a]:gap-1 [&_a]:rounded-sm [&_a]:hover:text-ink">{back}</div>}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-64">
          <h1 tabIndex={-1} data-page-heading className="text-xl font-semibold break-words">
            {title}
          </h1>
          {description && <p className="mt-1 max-w-2xl text-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </header>
  );
}
