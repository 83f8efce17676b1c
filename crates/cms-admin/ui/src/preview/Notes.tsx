// What there is to know when the page in the frame is not the entry's, or does not answer: what it is, why that may be, and what can be done.

import { Trans } from "@lingui/react/macro";
import { CornerUpLeft, ExternalLink, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";

import type { Reason, Standing } from "./connection";

interface NotesProps {
  standing: Standing;
  /** Of the site. */
  origin: string;
  onAgain: () => void;
  onOpenTab: () => void;
}

export function Notes({ standing, origin, onAgain, onOpenTab }: NotesProps) {
  if (standing.phase === "elsewhere") return <Elsewhere url={standing.url} onBack={onAgain} />;
  if (standing.phase !== "silent") return null;
  const actions = (
    <>
      <Button size="sm" icon={<RefreshCw />} onClick={onAgain}>
        <Trans>Try again</Trans>
      </Button>
      <Button size="sm" icon={<ExternalLink />} onClick={onOpenTab}>
        <Trans>Open in a new tab</Trans>
      </Button>
    </>
  );
  return <Silent reason={standing.reason} origin={origin} actions={actions} />;
}

function Elsewhere({ url, onBack }: { url: string | undefined; onBack: () => void }) {
  const back = (
    <Button size="sm" icon={<CornerUpLeft className="rtl:-scale-x-100" />} onClick={onBack}>
      <Trans>Back to the entry</Trans>
    </Button>
  );
  if (url === undefined) {
    return (
      <Notice title={<Trans>This is not the page of the entry any more</Trans>} action={back}>
        <Trans>Something on the page led elsewhere, or the page stopped answering. Your changes do not show here.</Trans>
      </Notice>
    );
  }
  return (
    <Notice title={<Trans>You are looking at another page</Trans>} action={back}>
      <Trans>
        A link led to <Code>{pathIn(url)}</Code>. Your changes do not show here.
      </Trans>
    </Notice>
  );
}

function Silent({ reason, origin, actions }: { reason: Reason; origin: string; actions: ReactNode }) {
  const { origin: here } = location;
  switch (reason.kind) {
    case "origin": {
      const { origin: other } = reason;
      return (
        <Notice tone="warn" title={<Trans>The site answered from another address</Trans>} action={actions}>
          <Trans>
            Previews are set up for <Code>{origin}</Code>, and the page is at <Code>{other}</Code>. Both have to be the same: change <Code>preview.origin</Code> in the configuration of the server, or where the site leads.
          </Trans>
        </Notice>
      );
    }
    case "version":
      return (
        <Notice tone="warn" title={<Trans>The site has another version of the script for previews</Trans>} action={actions}>
          <Trans>
            Copy <Code>preview.js</Code> of this version of the CMS into the site. Until then your changes do not show here.
          </Trans>
        </Notice>
      );
    case "refused":
      return (
        <Notice tone="warn" title={<Trans>The page led to another site</Trans>} action={actions}>
          <Trans>
            Nothing but <Code>{origin}</Code> is shown here. The site may ask for a sign-in, or lead to another spelling of its address.
          </Trans>
        </Notice>
      );
    case "unknown":
      return (
        <Notice tone="warn" title={<Trans>The page does not follow your changes</Trans>} action={actions}>
          <p>
            <Trans>It did not answer. Whoever builds the site finds the reason among these:</Trans>
          </p>
          <ul className="mt-1.5 grid list-disc gap-1 ps-5">
            <li>
              <Trans>
                The page does not load the script <Code>preview.js</Code>.
              </Trans>
            </li>
            <li>
              <Trans>
                The script is told another address of this application than <Code>{here}</Code>.
              </Trans>
            </li>
            <li>
              <Trans>
                The site forbids frames. It has to send <Code>Content-Security-Policy: frame-ancestors {here}</Code>, and no <Code>X-Frame-Options</Code>.
              </Trans>
            </li>
            <li>
              <Trans>
                There is no such page at <Code>{origin}</Code>, or the site cannot be reached.
              </Trans>
            </li>
          </ul>
        </Notice>
      );
  }
}

export function Code({ children }: { children: ReactNode }) {
  return (
    <code dir="ltr" className="font-mono text-sm wrap-anywhere">
      {children}
    </code>
  );
}

/** The part of an address behind the site, as people read it. */
function pathIn(url: string): string {
  try {
    return decodeURI(new URL(url).pathname);
  } catch {
    return url;
  }
}
