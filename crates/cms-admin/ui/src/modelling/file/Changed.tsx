// The members of a collection or a field that change: what each is, and what it will be.

import { Trans, useLingui } from "@lingui/react/macro";
import { ArrowRight } from "lucide-react";

import { DiffView } from "~/components/diff/DiffView";
import { useFormat } from "~/lib/format";

import { FIELD_TYPES } from "../fieldTypes";
import { SUPPORTS } from "../Supports";
import { memberWords } from "./members";
import type { Step } from "./plan";

export function Changed({ changes }: Pick<Step, "changes">) {
  const { i18n } = useLingui();
  return (
    <ul className="grid gap-1">
      {changes.map(({ member, from, to }) => {
        const words = memberWords(member);
        return (
          <li key={member} className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 text-sm">
            <span className="text-muted">
              {words ? i18n._(words) : <code className="font-mono text-xs">{member}</code>}
              {":"}
            </span>
            <Values member={member} from={from} to={to} />
          </li>
        );
      })}
    </ul>
  );
}

function Values({ member, from, to }: { member: string; from: unknown; to: unknown }) {
  const { i18n } = useLingui();
  const say = useValue();
  const [before, after] = [say(member, from), say(member, to)];
  const named = (value: unknown) =>
    member === "supports" && Array.isArray(value) ? value.map((name: unknown) => SUPPORTS.find(({ support }) => support === name)).flatMap((known) => (known ? [i18n._(known.name)] : [])) : value;
  // What has parts is compared, so that one sees which of them changed.
  if (before === undefined || after === undefined) {
    return (
      <div className="min-w-0 basis-full">
        <DiffView before={named(from)} after={named(to)} />
      </div>
    );
  }
  return (
    <>
      <bdi className="min-w-0 wrap-anywhere text-muted line-through decoration-line-strong">{before}</bdi>
      <ArrowRight aria-hidden className="size-3.5 shrink-0 self-center text-faint rtl:-scale-x-100" />
      <span className="sr-only">
        <Trans>becomes</Trans>
      </span>
      <bdi className="min-w-0 font-medium wrap-anywhere">{after}</bdi>
    </>
  );
}

/** A value as people read it; nothing where it has parts that are better compared. */
function useValue(): (member: string, value: unknown) => string | undefined {
  const { t, i18n } = useLingui();
  const { number } = useFormat();
  return (member, value) => {
    if (value === null || value === undefined || value === "") return t`none`;
    if (typeof value === "boolean") return value ? t`yes` : t`no`;
    if (typeof value === "number") return number(value);
    if (typeof value === "string") {
      const type = member === "type" ? FIELD_TYPES.find(({ type }) => type === value) : undefined;
      return type ? i18n._(type.name) : value;
    }
    return undefined;
  };
}
