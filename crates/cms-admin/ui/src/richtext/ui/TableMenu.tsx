// What can be done to the table with the caret.

import { useLingui } from "@lingui/react/macro";
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, PanelTop, Table, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { addRowAfter, addRowBefore, deleteColumn, deleteRow, deleteTable, isInTable } from "prosemirror-tables";

import { MenuSeparator } from "~/components/Menu";

import { columnAfter, columnBefore, hasHeaderRow, toggleHeaderRow } from "../tableCommands";
import { useEditor, useWatched } from "./context";
import { EditorMenu, MenuItem } from "./EditorMenu";

export function TableMenu({ trigger }: { trigger: (icon: ReactNode) => ReactNode }) {
  const { t } = useLingui();
  const controller = useEditor();
  const isIn = useWatched((state) => isInTable(state));
  const hasHeader = useWatched(hasHeaderRow);
  if (!isIn) return null;
  return (
    <EditorMenu trigger={trigger(<Table />)}>
      {(choose) => (
        <>
          <MenuItem icon={<ArrowUp />} onSelect={choose(() => controller.run(addRowBefore))}>{t`Insert row above`}</MenuItem>
          <MenuItem icon={<ArrowDown />} onSelect={choose(() => controller.run(addRowAfter))}>{t`Insert row below`}</MenuItem>
          <MenuItem icon={<ArrowLeft className="rtl:-scale-x-100" />} onSelect={choose(() => controller.run(columnBefore))}>{t`Insert column before`}</MenuItem>
          <MenuItem icon={<ArrowRight className="rtl:-scale-x-100" />} onSelect={choose(() => controller.run(columnAfter))}>{t`Insert column after`}</MenuItem>
          <MenuItem icon={<PanelTop />} onSelect={choose(() => controller.run(toggleHeaderRow))}>{hasHeader ? t`Remove header row` : t`Make the first row a header`}</MenuItem>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 />} onSelect={choose(() => controller.run(deleteRow))}>{t`Delete row`}</MenuItem>
          <MenuItem danger icon={<Trash2 />} onSelect={choose(() => controller.run(deleteColumn))}>{t`Delete column`}</MenuItem>
          <MenuItem danger icon={<Trash2 />} onSelect={choose(() => controller.run(deleteTable))}>{t`Delete table`}</MenuItem>
        </>
      )}
    </EditorMenu>
  );
}
