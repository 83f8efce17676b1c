// The frame of every screen behind the door: navigation at the side, the header on top, the screen.

import { Trans, useLingui } from "@lingui/react/macro";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { Keyboard, Menu as MenuIcon, Search } from "lucide-react";
import { Suspense, useDeferredValue, useState } from "react";

import { IconButton } from "~/components/Button";
import { lazily } from "~/lib/lazily";
import { home, version } from "~/lib/site";

import { Brand } from "./Brand";
import { useIsDocked } from "./dock";
import { modKey } from "./keys";
import { Navigation } from "./Navigation";
import { PaletteDialog } from "./PaletteDialog";
import { Sheet } from "./Sheet";
import { ShortcutHelp } from "./ShortcutHelp";
import { useShortcuts } from "./useShortcuts";
import { UserMenu } from "./UserMenu";
import { Welcome } from "./Welcome";

const UploadDock = lazily(() => import("~/media/upload/Dock").then((of) => of.Dock));

export function Shell() {
  const { t } = useLingui();
  const [open, setOpen] = useState<"navigation" | "palette" | "help">();
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  // First the frame: drawn together with the screen in it, it would hold up for longer whoever wants to do something.
  const isDrawn = useDeferredValue(true, false);
  useShortcuts({ palette: () => setOpen("palette"), help: () => setOpen("help") });
  const isDocked = useIsDocked();
  const close = () => setOpen(undefined);

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[var(--sidebar-width)_minmax(0,1fr)]">
      <a
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
        className="fixed start-3 top-3 z-60 -translate-y-20 rounded-md bg-accent px-3.5 py-2 font-medium text-on-accent focus:translate-y-0"
      >
        <Trans>Skip to content</Trans>
      </a>

      <aside className="sticky top-0 hidden h-dvh flex-col border-e border-line bg-sunken lg:flex">
        <div className="flex h-(--header-height) shrink-0 items-center px-4">
          <Link to="/" className="-mx-1.5 min-w-0 rounded-md px-1.5 py-1">
            <Brand />
          </Link>
        </div>
        <div className="grow overflow-y-auto px-2.5 py-3">
          <Navigation />
        </div>
        <p className="flex gap-x-2 px-5 py-3 text-xs text-faint">
          {version && <span>CMS {version}</span>}
          <a href={`${home}/licenses.txt`} target="_blank" rel="noopener" className="rounded-sm hover:text-ink hover:underline">
            <Trans>Licenses</Trans>
          </a>
        </p>
      </aside>

      <div className="min-w-0">
        <header className="sticky top-0 z-30 flex h-(--header-height) items-center gap-2 border-b border-line bg-canvas/85 px-3 backdrop-blur-md sm:px-6">
          <IconButton className="lg:hidden" label={t`Navigation`} aria-haspopup="dialog" icon={<MenuIcon className="size-5!" />} onClick={() => setOpen("navigation")} />
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => setOpen("palette")}
            className="flex h-9 min-w-0 grow items-center gap-2.5 rounded-md border border-line bg-surface px-3 text-muted shadow-low transition-colors hover:border-line-strong sm:max-w-80"
          >
            <Search aria-hidden className="size-4 shrink-0" />
            <span className="truncate">
              <Trans>Search or jump to…</Trans>
            </span>
            <kbd className="ms-auto hidden rounded-sm border border-line bg-sunken px-1.5 text-xs text-muted sm:block">{modKey("K")}</kbd>
          </button>
          <div className="ms-auto flex items-center gap-1">
            <IconButton className="max-sm:hidden" label={t`Keyboard shortcuts`} aria-haspopup="dialog" icon={<Keyboard />} onClick={() => setOpen("help")} />
            <UserMenu />
          </div>
          {isLoading && <div aria-hidden className="absolute inset-x-0 -bottom-px h-0.5 animate-shimmer bg-accent" />}
        </header>
        <main id="content" tabIndex={-1} className="mx-auto max-w-5xl has-data-wide:max-w-7xl has-data-whole:max-w-none px-4 py-7 outline-none sm:px-6 sm:py-8">
          {isDrawn && <Outlet />}
        </main>
      </div>

      <Sheet open={open === "navigation"} onClose={close} title={t`Navigation`}>
        <Navigation onChosen={close} />
      </Sheet>
      <PaletteDialog open={open === "palette"} onClose={close} onHelp={() => setOpen("help")} />
      <ShortcutHelp open={open === "help"} onClose={close} />
      <Welcome />
      <Suspense>{isDocked && <UploadDock />}</Suspense>
    </div>
  );
}
