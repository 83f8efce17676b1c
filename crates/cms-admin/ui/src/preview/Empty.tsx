// What stands in the place of the page as long as there is none.

import { Trans } from "@lingui/react/macro";
import { ExternalLink, FilePen, Link2, Map } from "lucide-react";

import { isCode } from "~/api/errors";
import { Button } from "~/components/Button";
import { EmptyState, ErrorState } from "~/components/states";
import { useCan } from "~/session/session";

import { Code } from "./Notes";

/** The entry is not on the server yet. */
export function NotSaved() {
  return (
    <EmptyState icon={<FilePen />} title={<Trans>Nothing to show yet</Trans>}>
      <Trans>The page appears here once the entry has been saved for the first time.</Trans>
    </EmptyState>
  );
}

/** The server does not know where the site is. */
export function NotConfigured({ onOpenTab }: { onOpenTab: (() => void) | undefined }) {
  const can = useCan();
  return (
    <EmptyState
      icon={<Map />}
      title={<Trans>Where is your site?</Trans>}
      action={
        onOpenTab && (
          <Button icon={<ExternalLink />} onClick={onOpenTab}>
            <Trans>Open in a new tab</Trans>
          </Button>
        )
      }
    >
      <p>
        <Trans>The page of the entry can stand here, beside what you write, as it will be on the site.</Trans>
      </p>
      {can("users:manage") ? (
        <div className="mt-3 grid justify-items-center gap-3">
          <p>
            <Trans>
              For that the server has to know where the site is. Write it into its configuration, or into the variable <Code>CMS_PREVIEW_ORIGIN</Code>, and restart it:
            </Trans>
          </p>
          <pre dir="ltr" className="rounded-md border border-line bg-sunken px-3 py-2 text-start font-mono text-sm text-ink">{'[preview]\norigin = "https://www.example.com"'}</pre>
          <p>
            <Trans>The pages of the site then need a small script. The guide “Previews” in the documentation has all of it.</Trans>
          </p>
        </div>
      ) : (
        <p className="mt-3">
          <Trans>Ask an administrator to set up previews.</Trans>
        </p>
      )}
    </EmptyState>
  );
}

/** There is no link to look at it by. */
export function NoLink({ error, onRetry, onLinks }: { error: unknown; onRetry: () => void; onLinks: () => void }) {
  if (!isCode(error, "PREVIEW_LIMIT")) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <div role="alert">
      <EmptyState
        icon={<Link2 />}
        title={<Trans>There are too many links to this entry</Trans>}
        action={
          <Button icon={<Link2 />} onClick={onLinks}>
            <Trans>Show the links</Trans>
          </Button>
        }
      >
        <Trans>A preview needs one of its own. Revoke one that nobody uses any more, and try again.</Trans>
      </EmptyState>
    </div>
  );
}
