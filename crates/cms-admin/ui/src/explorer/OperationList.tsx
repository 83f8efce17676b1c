// Every operation, by what it is about. First the contract, then what only the administration uses.

import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { memo, useEffect, useMemo, useRef, type KeyboardEvent } from "react";

import { EmptyState } from "~/components/states";

import type { Group, Operation } from "./document/operations";
import { found } from "./document/search";
import { Method } from "./parts/Method";

interface OperationListProps {
  groups: Group[];
  typed: string;
  selected: string | undefined;
}

export function OperationList({ groups, typed, selected }: OperationListProps) {
  const { t } = useLingui();
  const shown = useMemo(() => found(groups, typed), [groups, typed]);
  if (shown.length === 0) {
    return (
      <EmptyState title={<Trans>Nothing found</Trans>}>
        <Trans>Look for a part of an address, a name or a sentence, as in “content publish”.</Trans>
      </EmptyState>
    );
  }
  const internal = shown.findIndex(({ isInternal }) => isInternal);
  return (
    <nav aria-label={t`Operations`} onKeyDown={step} className="grid gap-4">
      {shown.map((group, n) => (
        <div key={`${group.isInternal} ${group.tag}`} className="grid gap-1">
          {n === internal && (
            <div className="mt-2 border-t border-line px-2 pt-4 pb-1">
              <h2 className="font-semibold">
                <Trans>Internal</Trans>
              </h2>
              <p className="text-sm text-muted">
                <Trans>Used by the administration itself, and not part of the contract.</Trans>
              </p>
            </div>
          )}
          <GroupHeading group={group} />
          <ul className="grid">
            {group.operations.map((operation) => (
              <Row key={operation.id} operation={operation} isSelected={operation.id === selected} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Groups of what is internal stand below the heading that says so. */
function GroupHeading({ group: { tag, about, isInternal } }: { group: Group }) {
  const Heading = isInternal ? "h3" : "h2";
  return (
    <Heading className="px-2 text-xs font-medium text-muted" title={about}>
      <span lang="en">{titleOf(tag)}</span>
    </Heading>
  );
}

/** Tags that are ids, as in `oauth_client`, read as words. */
function titleOf(tag: string): string {
  const words = tag.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Drawn once: of all of them, only those change that are chosen or left. */
const Row = memo(function Row({ operation: { id, method, path, summary }, isSelected }: { operation: Operation; isSelected: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  // One that an address named is not where the list begins.
  useEffect(() => {
    if (isSelected) link.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <li>
      <Link
        ref={link}
        to="/developers/api"
        search={({ q }) => ({ ...(q ? { q } : {}), operation: id })}
        preload={false}
        aria-current={isSelected ? "page" : undefined}
        className="grid min-h-9 grid-cols-[3.75rem_minmax(0,1fr)] items-baseline rounded-md px-2 py-1 hover:bg-hover aria-[current=page]:bg-active pointer-coarse:min-h-11"
      >
        <Method method={method} />
        <span className="grid min-w-0">
          <span lang="en" dir="auto" className="truncate">
            {summary}
          </span>
          <span dir="ltr" className="truncate text-start font-mono text-xs text-muted">
            {path}
          </span>
        </span>
      </Link>
    </li>
  );
});

/** Arrow keys go from one to the next. */
export function step(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.findIndex((link) => link === document.activeElement);
  if (at === -1) return;
  event.preventDefault();
  links[at + by]?.focus();
}
