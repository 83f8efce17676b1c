// The page of the entry on the site, beside the editor: it follows what is written.

import { Trans, useLingui } from "@lingui/react/macro";
import { ExternalLink, Link2, RefreshCw } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, useState, type ReactNode } from "react";

import { Button, IconButton } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { SidePanel } from "~/components/panel/SidePanel";
import { Skeleton } from "~/components/states";
import { useCell } from "~/editor/model/cell";
import { useItem, useSession } from "~/editor/model/context";
import { cx } from "~/lib/cx";
import { useFormat } from "~/lib/format";
import { previewOrigin } from "~/lib/site";

import type { Standing } from "./connection";
import { useDevice } from "./device";
import { Devices } from "./Devices";
import { NoLink, NotConfigured, NotSaved } from "./Empty";
import { Frame } from "./Frame";
import { ownLinkOf, type Link } from "./link";
import { Notes } from "./Notes";

/** How wide the pane is at first and at most, in rem. */
const WIDTH = { usual: 32, most: 90 };

export interface PreviewPaneProps {
  onClose: () => void;
  onOpenTab: () => void;
  onLinks: () => void;
  /** Where the site is; what the server says of it, unless a test says something else. */
  origin?: string;
}

export default function PreviewPane({ onClose, onOpenTab, onLinks, origin = previewOrigin }: PreviewPaneProps) {
  const { t } = useLingui();
  const isSaved = useItem() !== undefined;
  const isShown = isSaved && origin !== "";
  const [attempt, setAttempt] = useState(0);
  const again = () => setAttempt((attempt) => attempt + 1);
  const tools = isShown && (
    <>
      <IconButton size="sm" label={t`Reload the page`} icon={<RefreshCw />} onClick={again} />
      <IconButton size="sm" label={t`Open in a new tab`} icon={<ExternalLink />} onClick={onOpenTab} />
      <IconButton size="sm" label={t`Preview links`} aria-haspopup="dialog" icon={<Link2 />} onClick={onLinks} />
    </>
  );
  return (
    <SidePanel open onOpenChange={(open) => !open && onClose()} title={t`Preview`} widthKey="preview" usualWidth={WIDTH.usual} mostWidth={WIDTH.most} tools={tools} whole>
      {isShown ? <Shown {...{ origin, attempt, onOpenTab, onLinks }} onAgain={again} /> : origin === "" ? <NotConfigured onOpenTab={isSaved ? onOpenTab : undefined} /> : <NotSaved />}
    </SidePanel>
  );
}

/** A link that is good, asked for anew with each attempt. */
function useLink(attempt: number): { link?: Link; error?: unknown } {
  const session = useSession();
  const [found, setFound] = useState<{ attempt: number; link?: Link; error?: unknown }>({ attempt: -1 });
  useEffect(() => {
    let isOver = false;
    ownLinkOf(session)
      .get()
      .then(
        (link) => isOver || setFound({ attempt, link }),
        (error: unknown) => isOver || setFound({ attempt, error }),
      );
    return () => {
      isOver = true;
    };
  }, [session, attempt]);
  return found.attempt === attempt ? found : {};
}

interface ShownProps {
  origin: string;
  /** How often the page was loaded anew. */
  attempt: number;
  onAgain: () => void;
  onOpenTab: () => void;
  onLinks: () => void;
}

const LOADING: Standing = { phase: "loading" };

function Shown({ origin, attempt, onAgain, onOpenTab, onLinks }: ShownProps) {
  const { percent } = useFormat();
  const [said, setSaid] = useState({ attempt, standing: LOADING });
  const standing = said.attempt === attempt ? said.standing : LOADING;
  const setStanding = useCallback((standing: Standing) => setSaid({ attempt, standing }), [attempt]);
  const [device, setDevice] = useDevice();
  const [scale, setScale] = useState(1);
  const { link, error } = useLink(attempt);

  if (error !== undefined) return <NoLink error={error} onRetry={onAgain} onLinks={onLinks} />;
  return (
    <div className="flex h-full flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-1.5 ps-4 pe-2">
        <p role="status" className="me-auto flex min-w-0 items-center gap-2 text-sm text-muted">
          <span aria-hidden className={cx("size-2 shrink-0 rounded-full", standing.phase === "live" ? "bg-good" : "bg-line-strong")} />
          <Said standing={standing} />
        </p>
        {scale < 1 && <span className="text-sm text-faint tabular-nums">{percent(scale)}</span>}
        <Devices device={device} onChange={setDevice} />
      </div>
      <div className="max-h-3/5 shrink-0 overflow-y-auto empty:hidden *:m-3">
        <Ended link={link} onAgain={onAgain} />
        <Notes {...{ standing, origin, onAgain, onOpenTab }} />
      </div>
      {link ? <Frame key={attempt} {...{ origin, device }} url={link.url} onStanding={setStanding} onScale={setScale} /> : <Skeleton className="min-h-0 w-full grow" />}
    </div>
  );
}

function Said({ standing: { phase } }: { standing: Standing }): ReactNode {
  switch (phase) {
    case "loading":
      return <Trans>Waiting for the page…</Trans>;
    case "live":
      return <Trans>Follows your changes</Trans>;
    case "elsewhere":
      return <Trans>Another page</Trans>;
    case "silent":
      return <Trans>Not following</Trans>;
  }
}

/** The longest time that a timer of a browser waits, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Says when the link by which the page was loaded is no longer good: once it is loaded anew, the site would find nothing. */
function Ended({ link, onAgain }: { link: Link | undefined; onAgain: () => void }) {
  const session = useSession();
  const current = useCell(ownLinkOf(session).link);
  const [over, setOver] = useState<string>();
  const end = useEffectEvent(() => setOver(link?.id));
  const endsAt = link?.expiresAt;
  useEffect(() => {
    if (endsAt === undefined) return undefined;
    const timer = setTimeout(() => end(), Math.min(Math.max(0, new Date(endsAt).getTime() - Date.now()), LONGEST));
    return () => clearTimeout(timer);
  }, [endsAt]);
  if (!link || (current?.id === link.id && over !== link.id)) return null;
  return (
    <Notice
      title={<Trans>The link behind this preview has ended</Trans>}
      action={
        <Button size="sm" icon={<RefreshCw />} onClick={onAgain}>
          <Trans>Reload the page</Trans>
        </Button>
      }
    >
      <Trans>Your changes still show until the page reloads.</Trans>
    </Notice>
  );
}
