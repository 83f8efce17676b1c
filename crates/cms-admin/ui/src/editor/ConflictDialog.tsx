// What to do where somebody else changed the same place: mine, theirs, or both.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";

import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { nameOf, ORDER, type Choice, type Conflict } from "~/editing/merge";
import { cx } from "~/lib/cx";

import { ShownValue } from "./fields/Shown";
import { useDraft, useSession } from "./model/context";
import { isElsewhere } from "./model/elsewhere";
import { usePlaceName } from "./model/names";

export function ConflictDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const session = useSession();
  const conflicts = useDraft(({ conflicts }) => conflicts);
  const sides = useDraft(({ sides }) => sides);
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const isDecided = conflicts.every(({ path }) => choices.has(nameOf(path)));
  const chooseAll = (choice: Choice) => setChoices(new Map(conflicts.map(({ path }) => [nameOf(path), choice])));

  function decide() {
    session.draft.decide(choices);
    setChoices(new Map());
    onClose();
  }

  return (
    <Dialog
      open={isOpen && conflicts.length > 0}
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={<Trans>Somebody else changed the same place</Trans>}
      description={
        <Trans>All other changes have been merged. Choose which version to keep here; nothing is saved until you do. You can close this and go on writing: your text stays in this browser.</Trans>
      }
    >
      {conflicts.length > 1 && (
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <span className="text-sm text-muted">
            <Plural value={conflicts.length} one="# place" other="# places" />
          </span>
          <Button size="sm" onClick={() => chooseAll("mine")}>
            <Trans>Keep all of mine</Trans>
          </Button>
          <Button size="sm" onClick={() => chooseAll("theirs")}>
            <Trans>Take all of theirs</Trans>
          </Button>
        </div>
      )}
      <div className="grid max-h-[55dvh] gap-4 overflow-y-auto pe-1">
        {conflicts.map((conflict) => (
          <One
            key={nameOf(conflict.path)}
            conflict={conflict}
            isTwice={sides !== undefined && isElsewhere(conflict, sides)}
            choice={choices.get(nameOf(conflict.path))}
            onChoose={(choice) => setChoices(new Map(choices).set(nameOf(conflict.path), choice))}
          />
        ))}
      </div>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Decide later</Trans>
        </Button>
        <Button variant="primary" disabled={!isDecided} onClick={decide}>
          <Trans>Apply</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function One({ conflict, isTwice, choice, onChoose }: { conflict: Conflict; isTwice: boolean; choice: Choice | undefined; onChoose: (choice: Choice) => void }) {
  const { t } = useLingui();
  const { fields } = useSession();
  const placeName = usePlaceName();
  const { path, mine, theirs, base } = conflict;
  const field = fields.find(({ slug }) => slug === path[0]);
  const isOrder = path.at(-1) === ORDER;
  const isItem = path.length === 2 && !isOrder;
  const isPart = path.length > 1;
  const type = path.length <= 2 ? field?.type : undefined;
  const name = placeName(path);
  const canBoth = isItem && mine !== undefined && theirs !== undefined;
  const options: { value: Choice; label: string; shown: unknown }[] = [
    { value: "mine", label: t`Mine`, shown: mine },
    { value: "theirs", label: t`Theirs`, shown: theirs },
  ];
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium" dir="auto">
        {isOrder ? t`Order of ${placeName(path.slice(0, 1))}` : name}
      </legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {options.map(({ value, label, shown }) => (
          <label
            key={value}
            className={cx(
              "grid min-w-0 cursor-pointer content-start gap-1.5 rounded-md border p-3",
              choice === value || choice === "both" ? "border-accent bg-accent-soft" : "border-line hover:border-line-strong",
            )}
          >
            <span className="flex items-center gap-2 font-medium">
              <input type="radio" name={nameOf(path)} checked={choice === value} onChange={() => onChoose(value)} />
              {label}
            </span>
            <span className="max-h-48 min-w-0 overflow-y-auto">{isOrder ? <Trans>The order as it is here</Trans> : shown === undefined ? <Trans>Removed</Trans> : <ShownValue value={shown} type={type} isPart={isPart} />}</span>
          </label>
        ))}
      </div>
      {canBoth && (
        <label className="mt-2 flex items-center gap-2 pointer-coarse:min-h-11">
          <input type="radio" name={nameOf(path)} checked={choice === "both"} onChange={() => onChoose("both")} />
          <Trans>Both, one after the other</Trans>
        </label>
      )}
      {isTwice && (
        <p className="mt-2 text-sm text-warn">
          <Trans>Some of your version now stands in another place of theirs. Keep yours, and it is there twice.</Trans>
        </p>
      )}
      {base !== undefined && !isOrder && (
        <details className="mt-1.5 text-sm text-muted">
          <summary className="w-fit rounded-sm">
            <Trans>What it was before</Trans>
          </summary>
          <div className="mt-1">
            <ShownValue value={base} type={type} isPart={isPart} />
          </div>
        </details>
      )}
    </fieldset>
  );
}
