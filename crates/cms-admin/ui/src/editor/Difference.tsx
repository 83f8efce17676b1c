// Two values side by side, with what differs marked.

import { Trans } from "@lingui/react/macro";

import { cx } from "~/lib/cx";

import { useShown } from "./fields/Shown";
import type { FieldType } from "./fields/shape";
import { wordDiff, type Piece } from "./model/wordDiff";

interface Change {
  type: FieldType | undefined;
  before: unknown;
  after: unknown;
}

/** A change of one value, read from before to after, under its name. */
export function Difference({ label, ...change }: Change & { label: string }) {
  return (
    <div className="grid gap-1 border-t border-line py-3 first:border-t-0">
      <h3 className="font-medium">
        <bdi>{label}</bdi>
      </h3>
      <DifferenceText {...change} />
    </div>
  );
}

/** A change of one value, with what differs marked. */
export function DifferenceText({ type, before, after }: Change) {
  const show = useShown();
  const [was, is] = [show(before, type), show(after, type)];
  if (was === "") return <Text pieces={[{ kind: "added", text: is }]} />;
  return is === "" ? <Text pieces={[{ kind: "removed", text: was }]} /> : <Text pieces={wordDiff(was, is)} />;
}

function Text({ pieces }: { pieces: Piece[] }) {
  return (
    <p dir="auto" className="min-w-0 break-words whitespace-pre-wrap">
      {pieces.map(({ kind, text }, n) => {
        if (kind === "same") return <span key={n}>{text}</span>;
        const isAdded = kind === "added";
        const Mark = isAdded ? "ins" : "del";
        return (
          <Mark key={n} className={cx("rounded-sm px-0.5", isAdded ? "bg-good-soft text-good no-underline" : "bg-bad-soft text-bad")}>
            <span className="sr-only">{isAdded ? <Trans>Added:</Trans> : <Trans>Removed:</Trans>} </span>
            {text}
          </Mark>
        );
      })}
    </p>
  );
}
