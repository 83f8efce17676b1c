// Puts the cards into another order, and hides those that somebody does not need.

import { Trans, useLingui } from "@lingui/react/macro";
import { RotateCcw } from "lucide-react";

import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { SortableList } from "~/components/sortable/SortableList";
import { Switch } from "~/components/Switch";
import { cx } from "~/lib/cx";

interface ArrangeDialogProps {
  /** The cards in their order. */
  cards: readonly { id: string; title: string; isHidden: boolean }[];
  onOrder: (order: string[]) => void;
  onShow: (id: string, isShown: boolean) => void;
  onReset: () => void;
  onClose: () => void;
}

export function ArrangeDialog({ cards, onOrder, onShow, onReset, onClose }: ArrangeDialogProps) {
  const { t } = useLingui();
  return (
    <Dialog open onOpenChange={onClose} title={<Trans>Arrange the dashboard</Trans>} description={<Trans>Only for you, in this browser.</Trans>}>
      <SortableList label={t`Cards`} items={cards} itemKey={({ id }) => id} itemName={({ title }) => title} onMove={(moved) => onOrder(moved.map(({ id }) => id))} className="gap-1.5">
        {({ id, title, isHidden }) => (
          <div className="flex items-center justify-between gap-3 pe-1.5">
            <span className={cx("min-w-0 break-words", isHidden && "text-muted")}>{title}</span>
            <Switch label={t`Show “${title}”`} checked={!isHidden} onChange={(isShown) => onShow(id, isShown)} />
          </div>
        )}
      </SortableList>
      <DialogActions>
        <Button icon={<RotateCcw />} onClick={onReset}>
          <Trans>Reset</Trans>
        </Button>
        <Button variant="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
