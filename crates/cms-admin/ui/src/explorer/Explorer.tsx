// The explorer: what there is at the side, the chosen one beside it. Everything that is looked at has an address.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Braces, KeyRound, X } from "lucide-react";
import { useEffect, useState } from "react";

import { tokens } from "~/account/queries";
import { Badge } from "~/components/Badge";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { PageHeader } from "~/components/PageHeader";
import { ScopeList } from "~/components/ScopeChoice";
import { SearchField } from "~/components/SearchField";
import { EmptyState, Loaded } from "~/components/states";
import { Tabs } from "~/components/Tabs";
import { cx } from "~/lib/cx";
import { useFormat } from "~/lib/format";
import { prefix } from "~/lib/site";
import { useMe } from "~/session/session";

import { documents, type Documents } from "./document/queries";
import { HistoryList } from "./HistoryList";
import { OperationList } from "./OperationList";
import { OperationView } from "./OperationView";
import { Prose } from "./parts/Prose";
import { attend, endTrial, useTrial } from "./sending/trial";
import { ToolList } from "./tools/ToolList";
import { ToolView } from "./tools/ToolView";
import { TrialDialog } from "./TrialDialog";

/** What the address says. */
interface Looked {
  operation?: string;
  tool?: string;
  /** What is searched for. */
  q?: string;
  /** Which list is shown, where it is not that of what is chosen. */
  list?: string;
}

const LISTS = ["operations", "tools", "history"];

export function Explorer({ looked, onLook }: { looked: Looked; onLook: (looked: Looked) => void }) {
  const { t } = useLingui();
  const query = useQuery(documents);
  const trial = useTrial();
  const [isMaking, setMaking] = useState(false);
  useAttendance();
  return (
    <div data-wide>
      <PageHeader
        title={t`API explorer`}
        description={<Trans>Everything that programs and agents can ask of this site. Requests that you send here are real.</Trans>}
        actions={
          trial ? (
            <Trial />
          ) : (
            <Button icon={<KeyRound />} onClick={() => setMaking(true)}>
              <Trans>Try with a token…</Trans>
            </Button>
          )
        }
      />
      <Loaded query={query}>{(documents) => <Shown documents={documents} looked={looked} onLook={onLook} onTrial={() => setMaking(true)} />}</Loaded>
      {isMaking && <TrialDialog onClose={() => setMaking(false)} />}
    </div>
  );
}

/** A token does not outlast the explorer. */
function useAttendance() {
  const queries = useQueryClient();
  const { id } = useMe();
  useEffect(() => {
    const leave = attend(id);
    return () => void leave().then(() => queries.invalidateQueries(tokens));
  }, [queries, id]);
}

/** What the token may, and how to be oneself again. */
function Trial() {
  const trial = useTrial();
  const { time } = useFormat();
  const [isEnding, setEnding] = useState(false);
  if (!trial) return null;
  const until = time(trial.ends);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
      <span className="grid min-w-0 text-sm">
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone="accent" icon={<KeyRound aria-hidden />}>
            <Trans>Token until {until}</Trans>
          </Badge>
          <ScopeList scopes={trial.scopes} />
        </span>
      </span>
      <Button
        size="sm"
        icon={<X />}
        pending={isEnding}
        onClick={() => {
          setEnding(true);
          void endTrial();
        }}
      >
        <Trans>Revoke token</Trans>
      </Button>
    </div>
  );
}

interface ShownProps {
  documents: Documents;
  looked: Looked;
  onLook: (looked: Looked) => void;
  onTrial: () => void;
}

function Shown({ documents, looked, onLook, onTrial }: ShownProps) {
  const { t } = useLingui();
  const trial = useTrial();
  // Each choice in the history is another form, with what was sent then.
  const [chosen, setChosen] = useState(0);
  const { groups } = documents;
  const operation = groups.flatMap(({ operations }) => operations).find(({ id }) => id === looked.operation);
  const list = looked.list && LISTS.includes(looked.list) ? looked.list : looked.tool !== undefined ? "tools" : "operations";
  const isChosen = looked.operation !== undefined || looked.tool !== undefined;
  const typed = looked.q ?? "";
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div className={cx("min-w-0 lg:sticky lg:top-[calc(var(--header-height)+1rem)] lg:grid lg:max-h-[calc(100dvh-var(--header-height)-2rem)] lg:grid-rows-[auto_minmax(0,1fr)]", isChosen && "max-lg:hidden")}>
        {list !== "history" && (
          <div className="mb-3 flex">
            <SearchField label={t`Search`} value={looked.q} onChange={(q) => onLook({ ...looked, q })} />
          </div>
        )}
        {/* The names of the lists stay in view. */}
        <div className="min-w-0 lg:row-start-2 lg:overflow-y-auto lg:pe-1 lg:[&_[role=tablist]]:sticky lg:[&_[role=tablist]]:top-0 lg:[&_[role=tablist]]:z-10 lg:[&_[role=tablist]]:bg-canvas lg:[&_a]:scroll-mt-14">
          <Tabs
            label={t`Lists`}
            value={list}
            onChange={(list) => onLook({ ...looked, list })}
            tabs={[
              { value: "operations", label: <Trans>Operations</Trans>, content: <OperationList groups={groups} typed={typed} selected={operation?.id} /> },
              { value: "tools", label: <Trans>MCP tools</Trans>, content: <ToolList trial={trial} onTrial={onTrial} typed={typed} selected={looked.tool} /> },
              { value: "history", label: <Trans>History</Trans>, content: <HistoryList onChosen={() => setChosen(chosen + 1)} /> },
            ]}
          />
        </div>
      </div>
      <div className={cx("min-w-0", !isChosen && "max-lg:hidden")}>
        {looked.tool !== undefined ? (
          <ToolView key={`${looked.tool} ${chosen}`} name={looked.tool} trial={trial} onTrial={onTrial} />
        ) : operation ? (
          <OperationView key={`${operation.id} ${chosen}`} operation={operation} />
        ) : looked.operation !== undefined ? (
          <Card flush>
            <EmptyState title={<Trans>There is no such operation</Trans>}>
              <Trans>It may have another name now. Search for it in the list.</Trans>
            </EmptyState>
          </Card>
        ) : (
          <Beginning documents={documents} />
        )}
      </div>
    </div>
  );
}

/** Before anything is chosen: what holds for all of it, and where it is. */
function Beginning({ documents: { title, version, about, groups } }: { documents: Documents }) {
  const count = groups.filter(({ isInternal }) => !isInternal).flatMap(({ operations }) => operations).length;
  const address = `${location.origin}${prefix}/api`;
  return (
    <Card
      id="about"
      title={
        <span lang="en">
          {title} {version}
        </span>
      }
      description={<Plural value={count} one="# operation is a contract: it does not change without a new version." other="# operations are a contract: they do not change without a new version." />}
    >
      <div className="grid gap-4">
        <p className="flex items-center gap-2 text-muted">
          <Braces aria-hidden className="size-4 shrink-0" />
          <code dir="ltr" className="font-mono wrap-anywhere">
            {address}
          </code>
        </p>
        <Prose text={about} />
        <p>
          <a href={`${prefix}/api/openapi.json`} target="_blank" rel="noopener" className="rounded-sm text-accent-ink underline underline-offset-2">
            <Trans>The OpenAPI document</Trans>
          </a>
        </p>
      </div>
    </Card>
  );
}
