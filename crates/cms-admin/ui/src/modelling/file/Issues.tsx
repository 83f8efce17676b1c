// Why the server refuses the model of a file: what is wrong, of what, and on which line.

import { Plural, useLingui } from "@lingui/react/macro";
import { useEffect, useState } from "react";

import type { Issue } from "~/api/errors";
import { Notice } from "~/components/Notice";
import { issueText } from "~/forms/issueText";

import type { Outline } from "./reading";

/** More than this, nobody reads before the first are mended. */
const MOST = 50;

interface IssuesProps {
  issues: Issue[];
  outline: Outline[];
  linesOf: (paths: string[]) => Promise<(number | undefined)[]>;
}

export function Issues({ issues, outline, linesOf }: IssuesProps) {
  const [lines, setLines] = useState<{ of: Issue[]; lines: (number | undefined)[] }>();
  useEffect(() => {
    let isOver = false;
    void linesOf(issues.slice(0, MOST).map(({ path }) => path)).then((lines) => !isOver && setLines({ of: issues, lines }));
    return () => {
      isOver = true;
    };
  }, [issues, linesOf]);
  const more = issues.length - MOST;
  return (
    <Notice tone="bad" title={<Plural value={issues.length} one="The model of this file is refused: # problem." other="The model of this file is refused: # problems." />}>
      <ul className="mt-1 grid gap-2">
        {issues.slice(0, MOST).map((issue, n) => (
          <li key={`${issue.path} ${n}`} className="min-w-0 border-t border-bad-line pt-2">
            <Where issue={issue} outline={outline} line={lines?.of === issues ? lines.lines[n] : undefined} />
            <p>{issueText(issue)}</p>
            {/* What exactly, in the server's words: whoever mends a file reads them. */}
            <p dir="ltr" lang="en" className="text-start text-sm wrap-anywhere text-muted">
              <code className="font-mono text-xs">{issue.path}</code> {issue.message}
            </p>
          </li>
        ))}
        {more > 0 && (
          <li className="text-muted">
            <Plural value={more} one="and # more" other="and # more" />
          </li>
        )}
      </ul>
    </Notice>
  );
}

/** What an issue is about, as it is called in the file. */
function Where({ issue: { path }, outline, line }: { issue: Issue; outline: Outline[]; line: number | undefined }) {
  const { t } = useLingui();
  const [, collectionAt, fieldAt] = /^collections\.(\d+)(?:\.fields\.(\d+))?/.exec(path) ?? [];
  const collection = outline[Number(collectionAt ?? -1)];
  const field = fieldAt === undefined ? undefined : collection?.fields[Number(fieldAt)];
  const named = [collection?.label, field?.label].filter((name) => name !== undefined && name !== "");
  if (line === undefined && named.length === 0) return null;
  return (
    <p className="font-medium wrap-anywhere">
      {line !== undefined && t`Line ${line}`}
      {line !== undefined && named.length > 0 && " · "}
      {named.map((name, n) => (
        <span key={n}>
          {n > 0 && " · "}
          <bdi>{name}</bdi>
        </span>
      ))}
    </p>
  );
}
