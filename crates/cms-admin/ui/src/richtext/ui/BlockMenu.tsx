// What can be done to the block with the caret, or to the ones that are selected.

import { useLingui } from "@lingui/react/macro";
import { ArrowDown, ArrowUp, Copy, PackageOpen, Replace, Settings2, Trash2 } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { EditorState } from "prosemirror-state";
import type { ReactNode } from "react";

import { MenuSeparator } from "~/components/Menu";

import { deleteBlocks, duplicateBlocks, moveBlocks, unwrapBlocks } from "../blocks";
import { selectedTexts } from "../commands";
import { blockOf, selectedAt } from "../selected";
import { hasSettings } from "./BlockForm";
import { ITEMS } from "./catalog";
import { useEditor, useWatched } from "./context";
import { EditorMenu, KeyHint, MenuItem } from "./EditorMenu";
import { modKey } from "~/shell/keys";

interface BlockMenuProps {
  trigger: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Shows what is to be set about the block. */
  onSettings: () => void;
}

export function BlockMenu({ trigger, open, onOpenChange, onSettings }: BlockMenuProps) {
  const { t, i18n } = useLingui();
  const controller = useEditor();
  const hasText = useWatched((state: EditorState) => selectedTexts(state).length > 0);
  const canUnwrap = useWatched((state: EditorState) => unwrapBlocks(state));
  const settings = () => {
    // Where the keyboard goes back to after them.
    controller.view.focus();
    onSettings();
  };
  return (
    <EditorMenu trigger={trigger} open={open} onOpenChange={onOpenChange}>
      {(choose) => (
        <>
          {hasText && (
            <Radix.Sub>
              <Radix.SubTrigger className="flex min-h-8 w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 outline-none select-none data-highlighted:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:text-muted">
                <Replace aria-hidden />
                {t`Turn into`}
              </Radix.SubTrigger>
              <Radix.Portal>
                <Radix.SubContent collisionPadding={8} className="z-50 max-h-80 min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-high">
                  {ITEMS.filter(({ turns }) => turns).map((item) => (
                    <MenuItem key={item.id} icon={<item.icon />} onSelect={choose(() => controller.run(item.run))}>
                      {i18n._(item.label)}
                    </MenuItem>
                  ))}
                </Radix.SubContent>
              </Radix.Portal>
            </Radix.Sub>
          )}
          {canUnwrap && <MenuItem icon={<PackageOpen />} onSelect={choose(() => controller.run(unwrapBlocks))}>{t`Take out of the box`}</MenuItem>}
          <SettingsItem onSelect={choose(settings)} />
          <MenuItem icon={<Copy />} onSelect={choose(() => controller.run(duplicateBlocks))}>
            <KeyHint keys={modKey("D")}>{t`Duplicate`}</KeyHint>
          </MenuItem>
          <MenuItem icon={<ArrowUp />} onSelect={choose(() => controller.run(moveBlocks(-1)))}>
            <KeyHint keys="Alt Shift ↑">{t`Move up`}</KeyHint>
          </MenuItem>
          <MenuItem icon={<ArrowDown />} onSelect={choose(() => controller.run(moveBlocks(1)))}>
            <KeyHint keys="Alt Shift ↓">{t`Move down`}</KeyHint>
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 />} onSelect={choose(() => controller.run(deleteBlocks))}>
            <KeyHint keys={modKey("Shift K")}>{t`Delete`}</KeyHint>
          </MenuItem>
        </>
      )}
    </EditorMenu>
  );
}

/** Nothing for a block without settings, or where a panel shows them. */
function SettingsItem({ onSelect }: { onSelect: () => void }) {
  const { t } = useLingui();
  const { hasPanel } = useEditor();
  const node = useWatched((state) => selectedAt(state)?.node ?? null);
  const block = node && blockOf(node);
  if (hasPanel || !block || !hasSettings(block)) return null;
  return <MenuItem icon={<Settings2 />} onSelect={onSelect}>{t`Settings…`}</MenuItem>;
}
