// A page before the door: one card in the middle, and below it the language and the look.

import { Trans, useLingui } from "@lingui/react/macro";
import { Languages, Monitor, Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "~/components/Button";
import { Menu, MenuChoice } from "~/components/Menu";
import { Notice } from "~/components/Notice";
import { Title } from "~/components/Title";
import { choose, LANGUAGES, type Language } from "~/lib/language";
import { origin } from "~/lib/site";
import { setTheme, useTheme, type Theme } from "~/lib/theme";
import { Brand } from "~/shell/Brand";

interface DoorPageProps {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Links below the card. */
  footer?: ReactNode;
  /** A picture in the place of the mark. */
  icon?: ReactNode;
}

export function DoorPage({ title, description, children, footer, icon }: DoorPageProps) {
  const { t, i18n } = useLingui();
  const theme = useTheme();
  const Icon = { system: Monitor, light: Sun, dark: Moon }[theme];
  return (
    <div className="door-ground flex min-h-dvh flex-col px-4">
      <Title>{title}</Title>
      <div className="grow basis-8" />
      <main className="mx-auto w-full max-w-[26.5rem] animate-slide py-6">
        <div className="rounded-xl border border-line bg-surface p-6 shadow-high sm:p-8">
          {icon ?? <Brand atDoor />}
          <h1 tabIndex={-1} data-page-heading className="mt-5 text-xl font-semibold">
            {title}
          </h1>
          {description && <div className="mt-1.5 text-muted">{description}</div>}
          {origin !== "" && origin !== location.origin && <Elsewhere />}
          {children && <div className="mt-6 grid gap-5">{children}</div>}
        </div>
        {footer && (
          <div className="mt-5 text-center text-muted [&_a]:rounded-sm [&_a]:font-medium [&_a]:text-accent-ink [&_a]:underline [&_a]:underline-offset-2">
            {footer}
          </div>
        )}
      </main>
      <div className="grow-[1.4] basis-8" />
      <footer className="flex flex-wrap items-center justify-center gap-1 py-4">
        <span className="px-2 text-sm text-muted">{location.hostname}</span>
        <Menu
          align="start"
          trigger={
            <Button variant="ghost" size="sm" icon={<Languages aria-hidden />} aria-label={t`Language: ${LANGUAGES[i18n.locale as Language]}`}>
              {LANGUAGES[i18n.locale as Language]}
            </Button>
          }
        >
          <MenuChoice
            value={i18n.locale}
            onChange={(value) => void choose(value as Language)}
            options={Object.entries(LANGUAGES).map(([value, name]) => ({ value, label: <span lang={value}>{name}</span> }))}
          />
        </Menu>
        <Menu
          trigger={
            <Button variant="ghost" size="sm" icon={<Icon aria-hidden />}>
              {t`Theme`}
            </Button>
          }
        >
          <MenuChoice
            value={theme}
            onChange={(value) => setTheme(value as Theme)}
            options={[
              { value: "system", label: t`System`, icon: <Monitor /> },
              { value: "light", label: t`Light`, icon: <Sun /> },
              { value: "dark", label: t`Dark`, icon: <Moon /> },
            ]}
          />
        </Menu>
      </footer>
    </div>
  );
}

/** For whoever came by another address than the site's own. */
function Elsewhere() {
  const here = origin + location.pathname + location.search + location.hash;
  return (
    <div className="mt-5">
      <Notice tone="warn">
        <Trans>
          This site’s address is <a href={here}>{origin}</a>. Passkeys work only there.
        </Trans>
      </Notice>
    </div>
  );
}

/** A line with a word in its middle, between two ways. */
export function Or({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 text-sm text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">{children}</div>
  );
}
