// What was sent in this tab. Choosing something brings back what its form had.

import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { History } from "lucide-react";

import { Badge } from "~/components/Badge";
import { Button } from "~/components/Button";
import { EmptyState } from "~/components/states";
import { useFormat } from "~/lib/format";

import { Status } from "./parts/Answer";
import { Method } from "./parts/Method";
import { keepDraft } from "./request/drafts";
import { forget, useHistory, type Past } from "./sending/history";

export function HistoryList({ onChosen }: { onChosen: () => void }) {
  const { t } = useLingui();
  const past = useHistory();
  if (past.length === 0) {
    return (
      <EmptyState icon={<History />} title={<Trans>No requests yet</Trans>}>
        <Trans>What you send is listed here until you close this tab, without responses and without secrets.</Trans>
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-3">
      <nav aria-label={t`History`}>
        <ol className="grid">
          {past.map((sent) => (
            <Row key={`${sent.at} ${sent.id}`} sent={sent} onChosen={onChosen} />
          ))}
        </ol>
      </nav>
      <Button size="sm" onClick={forget} className="mx-2 w-fit">
        <Trans>Clear history</Trans>
      </Button>
    </div>
  );
}

function Row({ sent, onChosen }: { sent: Past; onChosen: () => void }) {
  const { time, number } = useFormat();
  const { at, kind, id, method, status, milliseconds, asToken, values, body } = sent;
  const took = number(Math.round(milliseconds));
  return (
    <li>
      <Link
        to="/developers/api"
        search={kind === "tool" ? { tool: id, list: "history" } : { operation: id, list: "history" }}
        preload={false}
        onClick={() => {
          if (values) keepDraft(`${kind} ${id}`, { values: new Map(values), body });
          onChosen();
        }}
        className="grid min-w-0 gap-0.5 rounded-md px-2 py-1.5 hover:bg-hover pointer-coarse:min-h-11"
      >
        <span className="flex min-w-0 items-baseline gap-2">
          {method && <Method method={method} />}
          <code dir="ltr" className="truncate font-mono text-sm">
            {id}
          </code>
          <span className="ms-auto">
            <Status status={status} statusText="" />
          </span>
        </span>
        <span className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
          <span>{time(at)}</span>
          <span>
            <Trans>{took} ms</Trans>
          </span>
          {asToken && (
            <Badge>
              <Trans>Token</Trans>
            </Badge>
          )}
          {!values && <Trans>not kept</Trans>}
        </span>
      </Link>
    </li>
  );
}
