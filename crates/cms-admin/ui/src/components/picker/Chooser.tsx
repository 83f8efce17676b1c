// The search box of a picker and what it finds. The focus stays in the box; arrows move through the list.

import { Trans, useLingui } from "@lingui/react/macro";
import { Search } from "lucide-react";
import { useId, useState, type KeyboardEvent } from "react";

import { messageOf } from "~/api/errors";
import { Button } from "~/components/Button";
import { Spinner } from "~/components/Spinner";

import { OptionList } from "./OptionList";
import type { Make } from "./Picker";
import { isChoice, nextRow, rowsOf } from "./rows";
import { useFound, type Option, type Source } from "./source";

interface ChooserProps<Choice extends Option> {
  label: string;
  source: Source<Choice>;
  chosen: readonly string[];
  multiple: boolean | undefined;
  recentKey: string | undefined;
  make: Make | undefined;
  onChoose: (option: Choice) => void;
  onMake: (typed: string) => void;
}

export function Chooser<Choice extends Option>({ label, source, chosen, multiple, recentKey, make, onChoose, onMake }: ChooserProps<Choice>) {
  const { t } = useLingui();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState<number>();
  const { options, error, isPending, isStale, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useFound(source, typed);
  // Nothing is made before it is known whether it is there.
  const offer = options && make?.label(typed.trim());
  const rows = rowsOf({ typed, found: options, recentKey, headings: { recent: t`Recent`, all: t`All` }, make: offer === undefined ? undefined : { text: offer, hint: make?.hint } });
  // The first that can be chosen, until somebody moves; while the answer to what was typed is on its way, none.
  const active = at !== undefined && isChoice(rows[at]) ? at : nextRow(rows, -1, 1);
  const count = options?.length ?? 0;
  const isEmpty = options !== undefined && count === 0 && !rows.some(({ kind }) => kind === "option");

  function choose(index: number) {
    const row = rows[index];
    if (row?.kind === "make") onMake(typed.trim());
    else if (row?.kind === "option" && !row.option.disabled) onChoose(row.option);
  }

  function press(event: KeyboardEvent) {
    const steps: Record<string, () => number> = {
      ArrowDown: () => nextRow(rows, active, 1),
      ArrowUp: () => nextRow(rows, active, -1),
      PageDown: () => nextRow(rows, Math.min(active + 8, rows.length) - 1, 1),
      PageUp: () => nextRow(rows, Math.max(active - 8, -1) + 1, -1),
    };
    const step = steps[event.key];
    const isEnter = event.key === "Enter" && !event.nativeEvent.isComposing;
    if (!step && !isEnter) return;
    event.preventDefault();
    if (step) setAt(step());
    // What is found already may not be what was asked for.
    else if (!isStale) choose(active);
  }

  return (
    <>
      <div className="flex shrink-0 items-center gap-2.5 border-b border-line px-3">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          aria-label={label}
          placeholder={t`Search`}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          maxLength={200}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(undefined);
          }}
          onKeyDown={press}
          className="control-text h-11 min-w-0 grow bg-transparent outline-none"
        />
        {(isStale || isPending) && <Spinner />}
      </div>
      {error && options === undefined ? (
        <div role="alert" className="grid justify-items-center gap-3 px-4 py-6 text-center text-muted">
          {messageOf(error)}
          <Button size="sm" onClick={() => void refetch()}>
            <Trans>Try again</Trans>
          </Button>
        </div>
      ) : (
        <OptionList
          id={id}
          label={label}
          rows={rows}
          active={active}
          chosen={chosen}
          multiple={multiple ?? false}
          isStale={isStale}
          onPoint={setAt}
          onChoose={choose}
          onEnd={() => hasNextPage && !isFetchingNextPage && void fetchNextPage()}
        />
      )}
      {isEmpty && !isStale && (
        <p className="px-4 py-6 text-center text-muted">{typed.trim() ? <Trans>Nothing matches “{typed}”.</Trans> : <Trans>There is nothing to choose yet.</Trans>}</p>
      )}
      <p role="status" className="sr-only">
        {isPending || isStale ? "" : isEmpty ? t`No results` : hasNextPage ? t`More than ${count} results` : t`Results: ${count}`}
      </p>
    </>
  );
}
