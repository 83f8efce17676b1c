// When entries are to be published: an instant, typed in the reader's own time zone, which is named.

import { Trans, useLingui } from "@lingui/react/macro";

import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";

interface ScheduleDialogProps {
  /** What is scheduled, as in “Moby Dick” or “12 entries”. */
  name: string;
  onSchedule: (at: string) => Promise<unknown>;
  onClose: () => void;
}

export function ScheduleDialog({ name, onSchedule, onClose }: ScheduleDialogProps) {
  const { t } = useLingui();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const form = useForm({
    values: { scheduledAt: "" },
    check: ({ scheduledAt }) => {
      const at = new Date(scheduledAt);
      if (Number.isNaN(at.getTime())) return { scheduledAt: t`Choose a day and a time.` };
      return at.getTime() > Date.now() ? {} : { scheduledAt: t`Choose a time in the future.` };
    },
    submit: async ({ scheduledAt }) => {
      await onSchedule(new Date(scheduledAt).toISOString());
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} locked={form.isSending} title={<Trans>Schedule publication</Trans>} description={<bdi>{name}</bdi>}>
      <Form form={form}>
        <TextField label={<Trans>Publish on</Trans>} hint={<Trans>In your time zone, {zone}.</Trans>} type="datetime-local" {...form.field("scheduledAt")} />
        <DialogActions>
          <Button onClick={onClose} disabled={form.isSending}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" pending={form.isSending}>
            <Trans>Schedule</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
