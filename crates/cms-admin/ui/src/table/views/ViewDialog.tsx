// Asks for the name of a view, and whether others see it where they can.

import { Trans } from "@lingui/react/macro";

import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Checkbox, TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";

import type { Draft } from "./store";

/** The longest name, in characters, as the server has it. */
const LONGEST = 60;

interface ViewDialogProps {
  view: Draft;
  canShare: boolean;
  onSave: (draft: Draft) => Promise<void>;
  onClose: () => void;
}

export function ViewDialog({ view, canShare, onSave, onClose }: ViewDialogProps) {
  const form = useForm({
    values: { name: view.name, isShared: view.isShared },
    submit: async ({ name, isShared }) => {
      await onSave({ search: view.search, name: name.trim(), isShared });
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} locked={form.isSending} title={view.name ? <Trans>Edit the view</Trans> : <Trans>Save this view</Trans>}>
      <Form form={form}>
        <TextField label={<Trans>Name</Trans>} autoFocus autoComplete="off" maxLength={LONGEST} {...form.field("name")} />
        {canShare && <Checkbox label={<Trans>Share it with everyone who can see this list</Trans>} checked={form.values.isShared} onChange={({ target }) => form.set("isShared", target.checked)} />}
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
