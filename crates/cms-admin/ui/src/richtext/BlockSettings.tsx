// The settings of the block that is chosen, for the side panel of whoever shows the editor.

import type { ReactNode } from "react";

import type { SelectedBlock } from "./selected";
import { BlockForm, hasSettings } from "./ui/BlockForm";

/** Nothing where there is nothing to set. */
export function BlockSettings({ selected, empty = null }: { selected: SelectedBlock | null; empty?: ReactNode }) {
  return selected && hasSettings(selected.block) ? <BlockForm {...selected} /> : empty;
}
