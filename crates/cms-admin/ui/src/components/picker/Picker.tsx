// A choice among many: opens at a button, searches while one types, and shows what was chosen last.

import { useState, type ReactNode } from "react";

import { Popover } from "~/components/Popover";

import { Chooser } from "./Chooser";
import { remember } from "./recent";
import type { Option, Source } from "./source";

export interface PickerProps<Choice extends Option> {
  /** The button that opens it. */
  trigger: ReactNode;
  /** What is chosen, as in “Choose an author”. */
  label: string;
  source: Source<Choice>;
  /** Ids of what is chosen. */
  chosen: readonly string[];
  /** It stays open, and choosing again takes back. */
  multiple?: boolean;
  onChoose: (option: Choice, isChosen: boolean) => void;
  /** Remembers under this name what was chosen last. */
  recentKey?: string;
  /** Makes something new in place. */
  make?: Make<Choice>;
  align?: "start" | "end";
}

export interface Make<Choice> {
  /** What the row says, as in “Create ‘Rust’”. */
  label: (typed: string) => string;
  /** Takes the place of the list until `done` is called, with what was made or with nothing. */
  render: (typed: string, done: (made?: Choice) => void) => ReactNode;
}

export function Picker<Choice extends Option>({ trigger, label, source, chosen, multiple, onChoose, recentKey, make, align = "start" }: PickerProps<Choice>) {
  const [isOpen, setOpen] = useState(false);
  const [making, setMaking] = useState<string>();

  function open(isOpen: boolean) {
    setOpen(isOpen);
    setMaking(undefined);
  }

  function choose(option: Choice) {
    const isChosen = multiple ? !chosen.includes(option.id) : true;
    if (isChosen && recentKey) remember(recentKey, option);
    onChoose(option, isChosen);
    if (!multiple) open(false);
  }

  function done(made?: Choice) {
    setMaking(undefined);
    if (made) choose(made);
  }

  return (
    <Popover open={isOpen} onOpenChange={open} trigger={trigger} label={label} align={align} className="overflow-hidden sm:w-96">
      {making === undefined ? (
        <Chooser {...{ label, source, chosen, multiple, recentKey }} makeLabel={make?.label} onChoose={choose} onMake={setMaking} />
      ) : (
        <div className="overflow-y-auto p-4">{make?.render(making, done)}</div>
      )}
    </Popover>
  );
}
