// Events as they come, the newest first.

import { Plural, Trans, useLingui } from "@lingui/react/macro";

import { Badge } from "~/components/Badge";

import type { Outcome } from "../request/useSending";
import { laidOut } from "../snippets/json";
import { HeaderList, HeadLine } from "./Answer";

export function Stream({ stream }: { stream: Outcome & { kind: "stream" } }) {
  const { t } = useLingui();
  const { head, events, count, isOpen } = stream;
  const shown = events.length;
  const newest = events.map((event, n) => ({ ...event, number: count - shown + n + 1 })).reverse();
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-3">
        {head.status > 0 && <HeadLine head={head} />}
        {isOpen ? (
          <Badge tone="good">
            <Trans>Open</Trans>
          </Badge>
        ) : (
          <Badge>
            <Trans>Closed</Trans>
          </Badge>
        )}
      </div>
      {head.status > 0 && <HeaderList headers={head.headers} />}
      <p role="status" className="text-sm text-muted">
        {count === 0 ? <Trans>No events yet</Trans> : <Plural value={count} one="# event" other="# events" />}
        {count > shown && (
          <>
            {" "}
            · <Plural value={shown} one="the last # is shown" other="the last # are shown" />
          </>
        )}
      </p>
      {newest.length > 0 && (
        <ol reversed aria-label={t`Events`} tabIndex={0} className="grid max-h-96 gap-2 overflow-y-auto">
          {newest.map(({ number, type, data }) => (
            <li key={number} className="min-w-0 rounded-md border border-line bg-sunken p-2.5">
              <p dir="ltr" className="font-mono text-xs text-muted">
                {number} · {type}
              </p>
              <pre dir="ltr" className="font-mono text-sm wrap-anywhere whitespace-pre-wrap">
                {laidOut(data)}
              </pre>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
