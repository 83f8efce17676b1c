// What keeps an entry from being published, and what would make it better.

import { Trans } from "@lingui/react/macro";
import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";

import { useDraft, useSession } from "./model/context";
import { checksOf } from "./model/checks";
import { usePlaceName } from "./model/names";

export function Checklist({ onJump }: { onJump: (path: string) => void }) {
  const { collection, fields } = useSession();
  const values = useDraft(({ values }) => values);
  const issues = useDraft(({ issues }) => issues);
  const placeName = usePlaceName();
  const checks = checksOf(collection, fields, values, issues);
  const jump = (path: string, children: ReactNode) => (
    <button type="button" className="rounded-sm text-start underline underline-offset-2 pointer-coarse:min-h-11" onClick={() => onJump(path)}>
      {children}
    </button>
  );
  return (
    <ul className="grid gap-1.5">
      {checks.length === 0 && (
        <Line icon={<CircleCheck className="text-good" />}>
          <Trans>Nothing is missing.</Trans>
        </Line>
      )}
      {checks.map(({ kind, path }, n) => {
        const name = placeName(path);
        const [icon, text] = {
          missing: [<CircleAlert key="" className="text-bad" />, <Trans key="">Fill in {jump(path, name)}.</Trans>],
          wrong: [<CircleAlert key="" className="text-bad" />, <Trans key="">Correct {jump(path, name)}.</Trans>],
          alt: [<CircleDashed key="" className="text-warn" />, <Trans key="">Say what the image in {jump(path, name)} shows.</Trans>],
          description: [<CircleDashed key="" className="text-warn" />, <Trans key="">Write a description for search engines.</Trans>],
        }[kind];
        return (
          <Line key={n} icon={icon}>
            {text}
          </Line>
        );
      })}
    </ul>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
      {icon}
      <span>{children}</span>
    </li>
  );
}
