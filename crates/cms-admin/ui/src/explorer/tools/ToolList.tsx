// The tools that agents are offered, as the MCP endpoint lists them to a token.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot, KeyRound } from "lucide-react";
import { useMemo } from "react";

import { Button } from "~/components/Button";
import { EmptyState, Loaded, SkeletonRows } from "~/components/states";

import { isFound } from "../document/search";
import { step } from "../OperationList";
import type { Trial } from "../sending/trial";
import { toolList, type Tool } from "./client";

interface ToolListProps {
  trial: Trial | undefined;
  onTrial: () => void;
  typed: string;
  selected: string | undefined;
}

export function ToolList({ trial, onTrial, ...rest }: ToolListProps) {
  if (!trial) return <NeedsToken onTrial={onTrial} />;
  return <Listed trial={trial} {...rest} />;
}

/** The endpoint knows no sessions. */
export function NeedsToken({ onTrial }: { onTrial: () => void }) {
  return (
    <EmptyState
      icon={<Bot />}
      title={<Trans>MCP needs a token</Trans>}
      action={
        <Button variant="primary" icon={<KeyRound />} onClick={onTrial}>
          <Trans>Create a trial token</Trans>
        </Button>
      }
    >
      <Trans>The MCP endpoint asks for one even to list its tools. A trial token can do only what you choose, and is revoked when you leave this page.</Trans>
    </EmptyState>
  );
}

function Listed({ trial, typed, selected }: Omit<ToolListProps, "trial" | "onTrial"> & { trial: Trial }) {
  const query = useQuery(toolList(trial.id, trial.token));
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={8} />}>
      {(tools) => <Rows tools={tools} typed={typed} selected={selected} />}
    </Loaded>
  );
}

function Rows({ tools, typed, selected }: { tools: Tool[]; typed: string; selected: string | undefined }) {
  const { t } = useLingui();
  const shown = useMemo(() => tools.filter(({ name, title = "" }) => isFound([name, title], typed)), [tools, typed]);
  if (shown.length === 0) {
    return (
      <EmptyState title={<Trans>Nothing found</Trans>}>
        <Trans>None of the tools that your role may call matches.</Trans>
      </EmptyState>
    );
  }
  return (
    <nav aria-label={t`MCP tools`} onKeyDown={step}>
      <ul className="grid">
        {shown.map(({ name, title }) => (
          <li key={name}>
            <Link
              to="/developers/api"
              search={({ q }) => ({ ...(q ? { q } : {}), tool: name })}
              preload={false}
              aria-current={name === selected ? "page" : undefined}
              className="grid min-h-9 min-w-0 rounded-md px-2 py-1 hover:bg-hover aria-[current=page]:bg-active pointer-coarse:min-h-11"
            >
              <span dir="ltr" className="truncate text-start font-mono text-sm">
                {name}
              </span>
              <span lang="en" dir="auto" className="truncate text-sm text-muted">
                {title}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
