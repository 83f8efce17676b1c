// What a deed changed, and what else is known of it, in words: a name, what was, and what is.

import { Trans, useLingui } from "@lingui/react/macro";
import { ArrowRight } from "lucide-react";

import type { AuditLine } from "~/api/types";
import { useFormat } from "~/lib/format";
import { roleName } from "~/session/roles";
import { scopeWords } from "~/session/scopes";

import { memberWords } from "./members";

type Change = AuditLine["changes"][number];

/** The changes of a line, one below the other. `most` leaves out the rest, and says so. */
export function Changes({ changes, most = Infinity }: { changes: Change[]; most?: number }) {
  const more = changes.length - most;
  return (
    <ul className="grid gap-0.5">
      {changes.slice(0, most).map(({ member, from, to }) => (
        <li key={member} className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
          <Member name={member} />
          <Value member={member} value={from} className="text-muted" />
          <ArrowRight aria-hidden className="size-3.5 shrink-0 self-center text-faint rtl:-scale-x-100" />
          <span className="sr-only">
            <Trans>became</Trans>
          </span>
          <Value member={member} value={to} className="font-medium" />
        </li>
      ))}
      {more > 0 && (
        <li className="text-muted">
          <Trans>and {more} more</Trans>
        </li>
      )}
    </ul>
  );
}

/** What else is known of a line. */
export function Others({ members }: { members: [string, unknown][] }) {
  return (
    <ul className="grid gap-0.5">
      {members.map(([member, value]) => (
        <li key={member} className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
          <Member name={member} />
          <Value member={member} value={value} />
        </li>
      ))}
    </ul>
  );
}

function Member({ name }: { name: string }) {
  const { i18n } = useLingui();
  const words = memberWords(name);
  return (
    <span className="text-muted">
      {words ? i18n._(words) : <code className="font-mono text-xs">{name}</code>}
      {":"}
    </span>
  );
}

function Value({ member, value, className }: { member: string; value: unknown; className?: string }) {
  const say = useValue();
  return (
    <bdi className={className}>
      {say(member, value)}
    </bdi>
  );
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** A value as people read it. */
function useValue(): (member: string, value: unknown) => string {
  const { t, i18n } = useLingui();
  const { dateTime, list, number } = useFormat();
  const say = (member: string, value: unknown): string => {
    if (value === null || value === undefined || value === "") return t`none`;
    if (typeof value === "boolean") return value ? t`Yes` : t`No`;
    if (typeof value === "number") return /role$/i.test(member) ? i18n._(roleName(value)) : number(value);
    if (Array.isArray(value)) return value.length === 0 ? t`none` : list(value.map((part) => say(member, part)));
    if (typeof value !== "string") return JSON.stringify(value);
    if (INSTANT.test(value)) return dateTime(value);
    const scope = ["scopes", "approved", "asked"].includes(member) ? scopeWords(value) : undefined;
    return scope ? i18n._(scope.name) : value;
  };
  return say;
}
