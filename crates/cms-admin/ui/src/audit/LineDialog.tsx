// Everything that is known of a line of the audit log.

import { Trans, useLingui } from "@lingui/react/macro";

import type { AuditLine } from "~/api/types";
import { Fact, Facts } from "~/components/Card";
import { Dialog } from "~/components/Dialog";
import { useFormat } from "~/lib/format";

import { deedWords } from "./deeds";
import { useActorName } from "./useActorName";

export function LineDialog({ line, onClose }: { line: AuditLine; onClose: () => void }) {
  const { i18n } = useLingui();
  const { dateTime } = useFormat();
  const actor = useActorName();
  const words = deedWords(line.action);
  const said = everythingSaid(line);
  return (
    <Dialog open onOpenChange={onClose} size="lg" title={words ? i18n._(words) : line.action}>
      <Facts>
        <Fact name={<Trans>When</Trans>}>{dateTime(line.at)}</Fact>
        <Fact name={<Trans>Who</Trans>}>
          {actor(line)}
          {line.actor.name && line.actor.email && (
            <>
              {" "}
              <bdi className="text-muted">{line.actor.email}</bdi>
            </>
          )}
        </Fact>
        <Fact name={<Trans>From</Trans>}>{line.address ? <bdi>{line.address}</bdi> : "–"}</Fact>
        <Fact name={<Trans>Operation</Trans>}>
          <code dir="ltr" className="font-mono text-sm">
            {line.action}
          </code>
        </Fact>
        <Fact name={<Trans>On</Trans>}>
          <code dir="ltr" className="font-mono text-sm break-all">
            {[line.resource.type, line.resource.id].filter(Boolean).join(" ")}
          </code>
        </Fact>
        {said !== undefined && (
          <Fact name={<Trans>Details</Trans>}>
            <pre dir="ltr" tabIndex={0} className="overflow-x-auto rounded-md border border-line bg-sunken p-3 font-mono text-sm">
              {JSON.stringify(said, null, 2)}
            </pre>
          </Fact>
        )}
      </Facts>
    </Dialog>
  );
}

/** What was and what became of each member, and whatever else the line says; nothing where it says no more. */
function everythingSaid({ changes, details }: AuditLine): unknown {
  if (changes.length === 0) return details ?? undefined;
  const members = changes.map(({ member, from, to }) => [member, { from, to }]);
  return { ...Object.fromEntries(members), ...(typeof details === "object" ? details : {}) };
}
