// Asks for the name of a view, and whether others see it where they can.

import { Trans } from "@lingui/react/macro";

import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Checkbox, TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";

import type { View } from "./store";

/** The longest name, in characters: it has to fit on a button. */
const LONGEST = 60;

interface ViewDialogProps {
  view: View;
  canShare: boolean;
  onSave: (view: View) => Promise<void>;
  onClose: () => void;
}

export function ViewDialog({ view, canShare, onSave, onClose }: ViewDialogProps) {
  const form = useForm({
    values: { name: view.name, isShared: view.isShared },
    submit: async ({ name, isShared }) => {
      await onSave({ ...view, name: name.trim(), isShared });
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} locked={form.isSending} title={view.name ? <Trans>Rename the view</Trans> : <Trans>Save this view</Trans>}>
      <Form form={form}>
        <TextField label={<Trans>Name</Trans>} autoFocus autoComplete="off" maxLength={LONGEST} {...form.field("name")} />
        {canShare && <Checkbox label={<Trans>Everybody sees it</Trans>} checked={form.values.isShared} onChange={({ target }) => form.set("isShared", target.checked)} />}
        <DialogActions>
          <Button onClick={onClose} disabled={form.isSending}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" pending={form.isSending}>
            <Trans>Save view</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
