// The list of pages, and the one that the address names.

import type { ComponentType, ReactNode } from "react";

import { cx } from "~/lib/cx";

interface Page {
  title: string;
  default: ComponentType;
}

const PAGES = Object.entries(import.meta.glob<Page>("./pages/*.tsx", { eager: true }))
  .map(([path, page]) => ({ id: path.replace(/^.*\/|\.tsx$/g, ""), ...page }))
  .sort((a, b) => a.title.localeCompare(b.title));

const LOOKS = [
  { theme: "light", language: "en" },
  { theme: "dark", language: "en" },
  { theme: "light", language: "de" },
  { theme: "light", language: "ar" },
  { theme: "dark", language: "ar" },
];

export function Gallery() {
  const asked = new URLSearchParams(location.search);
  const page = PAGES.find(({ id }) => id === asked.get("page"));
  const address = (part: Record<string, string>) => `?${new URLSearchParams({ ...Object.fromEntries(asked), ...part }).toString()}`;
  return (
    <div className="mx-auto grid max-w-5xl gap-6 px-4 py-6 sm:px-6">
      <nav aria-label="Pages" dir="ltr" className="flex flex-wrap gap-x-3 gap-y-1 border-b border-line pb-3 text-sm">
        {PAGES.map(({ id, title }) => (
          <a key={id} href={address({ page: id })} aria-current={page?.id === id ? "page" : undefined} className={cx("rounded-sm hover:underline", page?.id === id ? "font-semibold" : "text-muted")}>
            {title}
          </a>
        ))}
        <span className="ms-auto flex flex-wrap gap-3">
          {LOOKS.map((look) => (
            <a key={`${look.theme} ${look.language}`} href={address(look)} className="rounded-sm text-faint hover:underline">
              {look.language} {look.theme}
            </a>
          ))}
        </span>
      </nav>
      {page && (
        <main className="grid gap-8">
          <h1 className="text-xl font-semibold">{page.title}</h1>
          <page.default />
        </main>
      )}
    </div>
  );
}

/** One state of a part. */
export function State({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-2.5">
      <h2 dir="ltr" className="text-start text-sm font-medium text-faint">
        {title}
      </h2>
      {children}
    </section>
  );
}
