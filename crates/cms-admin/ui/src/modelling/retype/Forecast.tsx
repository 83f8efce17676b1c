// What a change of type would do to the values of entries: how far that was looked at, how many become what, and some of them.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";

import { ApiError, messageOf } from "~/api/errors";
import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { issueText } from "~/forms/issueText";
import { BAR } from "~/jobs/Progress";
import { useFormat } from "~/lib/format";

import { legible, withoutValue, type Example, type Outcome } from "./outcome";
import type { Check } from "./useCheck";

interface ForecastProps {
  collection: string;
  check: Check;
  /** How many entries there are outside of the trash, as far as that was counted. */
  total: { total: number | undefined; isCapped: boolean } | undefined;
}

export function Forecast({ collection, check, total }: ForecastProps) {
  const { phase, outcome, error } = check;
  return (
    <section aria-labelledby="forecast" className="grid gap-3">
      <h3 id="forecast" className="font-medium">
        <Trans>What would become of the values</Trans>
      </h3>
      {phase === "failed" ? (
        <Notice
          tone="bad"
          title={<Trans>The entries could not be looked at.</Trans>}
          action={
            <Button size="sm" onClick={check.goOn}>
              <Trans>Try again</Trans>
            </Button>
          }
        >
          {reasonOf(error)}
        </Notice>
      ) : (
        <Standing check={check} total={total} />
      )}
      <Counts collection={collection} outcome={outcome} />
      {phase === "done" && !outcome.needsConvert ? null : <Keeping isWhole={phase === "done"} isBegun={phase !== "looking"} />}
    </section>
  );
}

function reasonOf(error: unknown): string {
  const issues = error instanceof ApiError ? error.issues : [];
  return issues.length > 0 ? issues.map((issue) => `${issue.path}: ${issueText(issue)}`).join(" ") : messageOf(error);
}

/** How far it is; whoever cannot see it hears only how it ended. */
function Standing({ check: { phase, outcome, stop, goOn }, total }: Pick<ForecastProps, "check" | "total">) {
  const { t } = useLingui();
  const { number } = useFormat();
  const { entries } = outcome;
  const isKnown = total?.total !== undefined && !total.isCapped && total.total >= entries;
  const [so, far] = [number(entries), number(total?.total ?? 0)];
  if (phase === "looking") {
    return (
      <div className="grid gap-2">
        <progress aria-label={t`Looking at the entries`} className={BAR} max={isKnown ? Math.max(total.total ?? 0, 1) : undefined} value={isKnown ? entries : undefined} />
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <p className="text-sm text-muted">
            {isKnown ? (
              <Trans>
                {so} of about {far} entries looked at
              </Trans>
            ) : (
              <Plural value={entries} one="# entry looked at" other="# entries looked at" />
            )}
          </p>
          <Button size="sm" onClick={stop}>
            <Trans>Stop looking</Trans>
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 text-sm text-muted">
      {phase === "stopped" ? (
        <>
          <p>
            <Plural value={entries} _0="No entry was looked at." one="Only # entry was looked at." other="Only # entries were looked at." />
          </p>
          <Button size="sm" onClick={goOn}>
            <Trans>Go on looking</Trans>
          </Button>
        </>
      ) : entries === 0 ? (
        <p>
          <Trans>There are no entries, so there is nothing to convert.</Trans>
        </p>
      ) : withoutValue(outcome) === entries ? (
        <p>
          <Trans>No entry has a value in this field, so there is nothing to convert.</Trans>
        </p>
      ) : (
        <p>
          <Plural value={entries} one="The only entry was looked at." other="All # entries were looked at, those in the trash too." />
        </p>
      )}
    </div>
  );
}

function Counts({ collection, outcome }: { collection: string; outcome: Outcome }) {
  const { same, converted, aside, dangling, convertedExamples, asideExamples, danglingExamples, entries } = outcome;
  const without = withoutValue(outcome);
  if (without === entries) return null;
  return (
    <ul className="grid gap-3">
      {same > 0 && (
        <li>
          <Plural value={same} one="# entry keeps its value as it is." other="# entries keep their values as they are." />
        </li>
      )}
      {converted > 0 && (
        <Some examples={convertedExamples} collection={collection}>
          <Plural value={converted} one="# entry would show another value:" other="# entries would show another value, such as:" />
        </Some>
      )}
      {aside > 0 && (
        <Some examples={asideExamples} collection={collection}>
          <Plural value={aside} one="# entry has a value that says nothing in the new type, and would show none:" other="# entries have values that say nothing in the new type, and would show none, such as:" />
        </Some>
      )}
      {dangling > 0 && (
        <Some examples={danglingExamples} collection={collection}>
          <Plural
            value={dangling}
            one="# entry would refer to an entry that is not there. The type cannot be changed before it has another value:"
            other="# entries would refer to entries that are not there. The type cannot be changed before they have other values, such as:"
          />
        </Some>
      )}
      {without > 0 && (
        <li className="text-muted">
          <Plural value={without} one="# entry has no value." other="# entries have no value." />
        </li>
      )}
    </ul>
  );
}

function Some({ examples, collection, children }: { examples: Example[]; collection: string; children: ReactNode }) {
  const { t } = useLingui();
  const isInSeveral = new Set(examples.map(({ locale }) => locale)).size > 1;
  return (
    <li className="grid gap-1.5">
      <p>{children}</p>
      <ul className="grid divide-y divide-line rounded-md border border-line bg-sunken text-sm">
        {examples.map(({ id, locale, title, from, to }) => (
          <li key={id} className="grid gap-x-4 gap-y-0.5 px-3 py-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
            <span className="min-w-0">
              <Link to="/content/$collection/$id" params={{ collection, id }} target="_blank" className="wrap-anywhere text-accent-ink underline underline-offset-2">
                <bdi>{title?.trim() ? title : t`Untitled`}</bdi>
              </Link>
              {isInSeveral && <span className="text-muted"> {locale}</span>}
            </span>
            <span className="min-w-0 wrap-anywhere">
              <Value json={from} />
              {to !== null && (
                <>
                  {" "}
                  <ArrowRight role="img" aria-label={t`becomes`} className="inline size-3.5 text-muted rtl:-scale-x-100" /> <Value json={to} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** A value as people read it, with its JSON text behind it where that says more. */
function Value({ json }: { json: string }) {
  const text = legible(json);
  if (text === json) {
    return (
      <bdi>
        <code className="font-mono text-xs">{json}</code>
      </bdi>
    );
  }
  return (
    <details className="inline-block max-w-full align-top open:block">
      <summary className="rounded-sm hover:underline pointer-coarse:py-2.5">
        <bdi>{text}</bdi>
      </summary>
      <code dir="ltr" className="mt-1 block font-mono text-xs wrap-anywhere text-muted">
        {json}
      </code>
    </details>
  );
}

/** That nothing is lost; and what is not known, where not all was looked at. */
function Keeping({ isWhole, isBegun }: { isWhole: boolean; isBegun: boolean }) {
  return (
    <Notice tone={isWhole || !isBegun ? "info" : "warn"}>
      {!isWhole && isBegun && (
        <>
          <Trans>Entries that were not looked at may have values that change, or that are no longer shown.</Trans>{" "}
        </>
      )}
      <Trans>Nothing is lost: entries keep what was written. Change the type back, and it is shown again, unless somebody has written over it or cleared it by then.</Trans>
    </Notice>
  );
}
