// The settings of the block with the caret, for whoever has no panel that shows them.

import { Trans } from "@lingui/react/macro";

import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";

import { blockOf, selectedAt } from "../selected";
import { BlockForm } from "./BlockForm";
import { useChangeSelected } from "./change";
import { useWatched } from "./context";

export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const change = useChangeSelected();
  const node = useWatched((state) => selectedAt(state)?.node ?? null);
  const block = node && blockOf(node);
  return (
    <Dialog open onOpenChange={onClose} title={<Trans>Settings of the block</Trans>}>
      {block && <BlockForm block={block} update={change} />}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
