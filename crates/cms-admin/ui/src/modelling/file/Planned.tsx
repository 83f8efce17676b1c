// What would happen for the model to be that of a file, and making it so.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, RefreshCw } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";

import { ApiError, messageOf, sentence } from "~/api/errors";
import { Button, ButtonLink } from "~/components/Button";
import { Card } from "~/components/Card";
import { Notice } from "~/components/Notice";
import { ErrorState, SkeletonRows } from "~/components/states";
import { LeaveGuard } from "~/forms/Form";
import { useCan } from "~/session/session";

import { modelChanged } from "../change";
import type { Exported } from "../queries";
import { Refusal, useExplain } from "../Refusal";
import { apply, collectionOf, reasonOf, type Done } from "./apply";
import { DeclaredList } from "./DeclaredList";
import { saveModel } from "./DownloadCard";
import { GroupCard } from "./GroupCard";
import { Issues } from "./Issues";
import { isMeant, Losses, type Consents } from "./Losses";
import { groupsOf, lossesOf, Names, partsOf, type Declared, type Plan } from "./plan";
import { usePlan } from "./usePlan";
import type { Read } from "./useReading";
import { useSummary } from "./useSummary";

interface PlannedProps {
  read: Read;
  there: Exported[];
  declared: Declared;
  onDeclare: (declared: Declared) => void;
  linesOf: (paths: string[]) => Promise<(number | undefined)[]>;
  onApplying: (isApplying: boolean) => void;
}

/** How many collections are drawn at first; the rest when they are asked for. */
const FIRST = 30;

export function Planned({ read, there, declared, onDeclare, linesOf, onApplying }: PlannedProps) {
  const query = usePlan(read, declared);
  const [done, setDone] = useState<Done>();
  const outline = read.model?.outline ?? [];
  if (done) return <Outcome {...done} />;
  if (query.error instanceof ApiError && query.error.issues.length > 0 && !query.isFetching) {
    return (
      <div className="grid gap-4">
        <Issues issues={query.error.issues} outline={outline} linesOf={linesOf} />
        <Said declared={declared} onDeclare={onDeclare} />
      </div>
    );
  }
  if (!query.data) {
    return (
      <Card flush>
        {query.error && !query.isFetching ? (
          query.error instanceof ApiError && query.error.code === "PAYLOAD_TOO_LARGE" ? (
            <div className="p-5">
              <Notice tone="bad">
                <Trans>The file is larger than this server takes. Take a part of the collections at a time.</Trans>
              </Notice>
            </div>
          ) : (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )
        ) : (
          <SkeletonRows rows={3} />
        )}
      </Card>
    );
  }
  return (
    <Steps
      plan={query.data}
      isStale={query.isFetching || query.isPlaceholderData}
      onAgain={() => void query.refetch()}
      onDone={setDone}
      {...{ read, there, declared, onDeclare, onApplying }}
    />
  );
}

interface StepsProps extends Omit<PlannedProps, "linesOf"> {
  plan: Plan;
  isStale: boolean;
  onAgain: () => void;
  onDone: (done: Done) => void;
}

function Steps({ plan, isStale, onAgain, onDone, read, there, declared, onDeclare, onApplying }: StepsProps) {
  const queries = useQueryClient();
  const summary = useSummary();
  const [consents, setConsents] = useState<Consents>({ ticked: new Set(), typed: new Map() });
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<{ of: Plan; error: unknown }>();
  const [shown, setShown] = useState(FIRST);
  const names = useMemo(() => new Names(there, read.model?.outline ?? []), [there, read]);
  const groups = useMemo(() => groupsOf(plan, names), [plan, names]);
  const losses = useMemo(() => lossesOf(plan), [plan]);
  const left = losses.filter((loss) => !isMeant(loss, consents)).length;
  const rest = groups.length - shown;

  const heading = useRef<HTMLHeadingElement>(null);

  function declare(declared: Declared) {
    onDeclare(declared);
    // The control that said so goes with what it was about.
    heading.current?.focus();
  }

  async function go() {
    setPending(true);
    onApplying(true);
    setFailure(undefined);
    try {
      onDone(await apply(plan, read.model?.collections ?? "[]", declared));
      void modelChanged(queries);
    } catch (error) {
      setFailure({ of: plan, error });
      if (reasonOf(error) === "unknown") void modelChanged(queries);
    } finally {
      setPending(false);
      onApplying(false);
    }
  }

  if (plan.steps.length === 0) {
    return (
      <div role="status">
        <Notice tone="good" title={<Trans>Nothing would change</Trans>}>
          <Trans>The model is already as the file has it.</Trans>
        </Notice>
      </div>
    );
  }
  return (
    <section aria-busy={isStale || undefined} className="grid gap-4">
      <LeaveGuard isDirty={isPending} />
      <div className="grid gap-1">
        <h2 ref={heading} tabIndex={-1} className="w-fit rounded-sm text-lg font-semibold">
          <Trans>What would happen</Trans>
        </h2>
        <p role="status" className="text-muted">
          {summary(plan)}
        </p>
      </div>
      <Said declared={declared} onDeclare={isPending ? undefined : declare} />
      {groups.slice(0, shown).map((group) => (
        <GroupCard
          key={group.slug}
          {...{ group, plan, names }}
          convert={declared.convert}
          onConvert={isPending ? undefined : (name, converts) => onDeclare({ ...declared, convert: toggled(declared.convert, name, converts) })}
          onRename={isPending ? undefined : (name, to) => declare({ ...declared, renames: new Map(declared.renames).set(name, to) })}
        />
      ))}
      {rest > 0 && (
        <div>
          <Button onClick={() => setShown(groups.length)}>
            <Trans>Show all collections that change</Trans>
          </Button>
        </div>
      )}
      {losses.length > 0 && <Losses {...{ losses, names, consents }} onChange={setConsents} disabled={isPending} />}
      {failure?.of === plan && <Failure
          error={failure.error}
          onAgain={() => {
            setFailure(undefined);
            heading.current?.focus();
            onAgain();
          }}
        />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant={losses.length > 0 ? "danger" : "primary"} pending={isPending} disabled={left > 0 || isStale} onClick={() => void go()}>
          <Trans>Change the model</Trans>
        </Button>
        <p role="status" className="text-sm text-muted">
          {isPending ? <Trans>The model is being changed. With many entries this takes up to a minute.</Trans> : left > 0 ? <Trans>Confirm what is lost first.</Trans> : <Trans>All of it changes, or nothing does.</Trans>}
        </p>
      </div>
    </section>
  );
}

function toggled(names: ReadonlySet<string>, name: string, isIn: boolean): ReadonlySet<string> {
  const others = [...names].filter((other) => other !== name);
  return new Set(isIn ? [...others, name] : others);
}

/** What was declared of the file. */
function Said({ declared, onDeclare }: { declared: Declared; onDeclare: ((declared: Declared) => void) | undefined }) {
  return (
    <>
      <DeclaredList
        title={<Trans>Fields that have another name in the file</Trans>}
        items={[...declared.renames].map(([name, to]) => ({
          name,
          said: (
            <bdi dir="ltr" className="font-mono text-sm">
              {name} → {to}
            </bdi>
          ),
        }))}
        onRemove={(name) => {
          const renames = new Map(declared.renames);
          renames.delete(name);
          onDeclare?.({ ...declared, renames });
        }}
      />
      <DeclaredList
        title={<Trans>Fields whose values are converted</Trans>}
        items={[...declared.convert].map((name) => ({
          name,
          said: (
            <bdi dir="ltr" className="font-mono text-sm">
              {name}
            </bdi>
          ),
        }))}
        onRemove={(name) => onDeclare?.({ ...declared, convert: toggled(declared.convert, name, false) })}
      />
    </>
  );
}

/** Why it was not done, and what there is to do about it. */
function Failure({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const explain = useExplain();
  const reason = reasonOf(error);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: "nearest" }), []);
  const again = (
    <Button icon={<RefreshCw />} onClick={onAgain}>
      <Trans>Plan again</Trans>
    </Button>
  );
  return (
    <div ref={place} className="scroll-mb-24">
      {reason === "changed" ? (
        <Notice tone="bad" title={<Trans>Nothing was changed</Trans>} action={again}>
          <Trans>The site has changed since this was planned: somebody changed the model, or wrote entries that would be lost. Plan again, and look at it again.</Trans>
        </Notice>
      ) : reason === "unknown" ? (
        <Notice tone="bad" title={<Trans>It is not known whether the model was changed</Trans>} action={again}>
          <Trans>No answer came. Plan again: if nothing is left to do, it was.</Trans>
        </Notice>
      ) : (
        <Notice tone="bad" title={<Trans>Nothing was changed</Trans>} action={again}>
          <div className="grid gap-2">
            <p>{explain(error) ?? messageOf(error)}</p>
            {explain(error) !== undefined && error instanceof ApiError && (
              <p dir="ltr" lang="en" className="text-start text-sm text-muted">
                {sentence(error.message)}
              </p>
            )}
            <Refusal error={error} collection={{ slug: collectionOf(error) }} />
          </div>
        </Notice>
      )}
    </div>
  );
}

function Outcome({ plan, before }: Done) {
  const { t } = useLingui();
  const can = useCan();
  const summary = useSummary();
  const heading = useRef<HTMLHeadingElement>(null);
  // It takes the place of the button that was pressed.
  useEffect(() => heading.current?.focus(), []);
  const made = plan.steps.find(({ action }) => action !== "delete_collection" && action !== "delete_field");
  return (
    <Card>
      <div className="grid gap-3">
        <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
          <Trans>The model is changed</Trans>
        </h2>
        <p>{summary(plan)}</p>
        {can("jobs:manage") && (
          <p className="text-muted">
            <Trans>
              Building indexes and clearing up what was deleted may go on in the background. <Link to="/jobs" className="rounded-sm underline underline-offset-2">See the jobs</Link>
            </Trans>
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <ButtonLink variant="primary" {...(made && plan.steps.length === 1 ? { to: "/model/$collection", params: { collection: partsOf(made.name).collection } } : { to: "/model" })}>
            <Trans>Go to the content model</Trans>
          </ButtonLink>
          <Button icon={<Download />} onClick={() => saveModel("model-before.json", before)}>
            {t`Model as it was before`}
          </Button>
        </div>
      </div>
    </Card>
  );
}
