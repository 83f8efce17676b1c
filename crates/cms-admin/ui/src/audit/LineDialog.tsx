// Everything that is known of a line of the audit log: in words first, as it is stored when asked for.

import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { useDeviceName } from "~/account/SessionRow";
import type { AuditLine } from "~/api/types";
import { Button } from "~/components/Button";
import { Fact, Facts } from "~/components/Card";
import { Dialog } from "~/components/Dialog";
import { useFormat } from "~/lib/format";

import { Changes, Others } from "./Changes";
import { membersOf, objectOf } from "./deeds";
import { useActorName } from "./useActorName";
import { useDeeds } from "./useDeeds";

export function LineDialog({ line, onClose }: { line: AuditLine; onClose: () => void }) {
  const { i18n } = useLingui();
  const { dateTime } = useFormat();
  const name = useActorName();
  const device = useDeviceName();
  const door = useDoor();
  const [isRaw, setRaw] = useState(false);
  const { actor, resource, changes, requestId, address, agent } = line;
  const words = useDeeds().lineWords(line);
  const shown = name(line);
  const others = Object.entries(membersOf(line.details));
  // What somebody is called now may not be what they were called then.
  const addresses = new Set([actor.label, actor.email].filter((address) => address && address !== shown));
  return (
    <Dialog open onOpenChange={onClose} size="lg" title={words ? i18n._(words) : line.action}>
      <div className="grid gap-5">
        <Facts>
          <Fact name={<Trans>When</Trans>}>{dateTime(line.at)}</Fact>
          <Fact name={<Trans>Who</Trans>}>
            {shown}
            {[...addresses].map((address) => (
              <bdi key={address} className="block text-muted">
                {address}
              </bdi>
            ))}
          </Fact>
          {(resource.id ?? resource.label) && (
            <Fact name={<Trans>What it was done to</Trans>}>
              <bdi className="font-medium">{objectOf(line) ?? resource.type}</bdi>
              <code dir="ltr" className="block font-mono text-xs break-all text-muted">
                {[resource.type, resource.id].filter(Boolean).join(" ")}
              </code>
            </Fact>
          )}
          {changes.length > 0 && (
            <Fact name={<Trans>Changes</Trans>}>
              <Changes changes={changes} />
            </Fact>
          )}
          {others.length > 0 && (
            <Fact name={<Trans>Details</Trans>}>
              <Others members={others} />
            </Fact>
          )}
          <Fact name={<Trans>From</Trans>}>
            {address ? <bdi>{address}</bdi> : "–"}
            {agent && (
              <span title={agent} className="block text-muted">
                {device(agent)}
              </span>
            )}
          </Fact>
          {requestId && (
            <Fact name={<Trans>Request ID</Trans>}>
              <code dir="ltr" className="font-mono text-sm break-all">
                {requestId}
              </code>
              <span className="block text-sm text-muted">
                <Trans>The server’s log has more about it under this ID.</Trans>
              </span>
            </Fact>
          )}
          {line.door && <Fact name={<Trans>Through</Trans>}>{door(line.door)}</Fact>}
        </Facts>
        <div className="flex flex-wrap gap-x-4 gap-y-2 text-sm [&_a]:rounded-sm [&_a]:font-medium [&_a]:text-accent-ink [&_a]:underline [&_a]:underline-offset-2">
          {resource.id && (
            <Link to="/audit" search={{ resourceType: resource.type, resourceId: resource.id }} onClick={onClose}>
              <Trans>Everything done to this</Trans>
            </Link>
          )}
          {requestId && (
            <Link to="/audit" search={{ requestId }} onClick={onClose}>
              <Trans>Everything in this request</Trans>
            </Link>
          )}
        </div>
        <div className="grid justify-items-start gap-3">
          <Button size="sm" aria-expanded={isRaw} onClick={() => setRaw(!isRaw)}>
            {isRaw ? <Trans>Hide raw data</Trans> : <Trans>Show raw data</Trans>}
          </Button>
          {isRaw && (
            <pre dir="ltr" tabIndex={0} className="max-h-80 w-full overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-sm">
              {JSON.stringify(line, null, 2)}
            </pre>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** How a request came in. */
function useDoor(): (door: string) => string {
  const { t } = useLingui();
  const words: Record<string, string> = { rest: t`Admin application or API`, tool: t`A tool of an AI agent (MCP)`, local: t`The server itself, or its command line` };
  return (door) => words[door] ?? door;
}
