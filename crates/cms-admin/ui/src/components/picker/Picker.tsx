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
  /** Makes something new of what was typed. */
  make?: Make | undefined;
  align?: "start" | "end";
}

export interface Make {
  /** What the row says, as in “Create ‘Rust’”; none where nothing can be made of it. */
  label: (typed: string) => string | undefined;
  /** What is below it: where it leads, say. */
  hint?: string | undefined;
  /** The picker is closed by then: what comes of it is said beside it. */
  onMake: (typed: string) => void;
}

export function Picker<Choice extends Option>({ trigger, label, source, chosen, multiple, onChoose, recentKey, make, align = "start" }: PickerProps<Choice>) {
  const [isOpen, setOpen] = useState(false);

  function choose(option: Choice) {
    const isChosen = multiple ? !chosen.includes(option.id) : true;
    if (isChosen && recentKey) remember(recentKey, option);
    onChoose(option, isChosen);
    if (!multiple) setOpen(false);
  }

  function onMake(typed: string) {
    setOpen(false);
    make?.onMake(typed);
  }

  return (
    <Popover open={isOpen} onOpenChange={setOpen} trigger={trigger} label={label} align={align} className="overflow-hidden sm:w-96">
      <Chooser {...{ label, source, chosen, multiple, recentKey, make }} onChoose={choose} onMake={onMake} />
    </Popover>
  );
}
