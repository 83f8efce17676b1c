// When entries are to be published: an instant, in the zone that all dates of the site are meant in.

import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

import { Button } from "~/components/Button";
import { DateTimeField } from "~/components/DateTimeField";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";

import { usePlanProblem } from "./plan";
import { useTimeZone } from "./site";

interface ScheduleDialogProps {
  /** What is scheduled, as in “Moby Dick” or “12 entries”. */
  name: string;
  /** When it is planned for so far. */
  at?: string | null | undefined;
  /** What it has to be later than. */
  after?: string | null | undefined;
  /** Other words, where it is not a publication that is planned anew. */
  words?: { title: ReactNode; label: ReactNode; confirm: ReactNode };
  onSchedule: (at: string) => Promise<unknown>;
  onClose: () => void;
}

export function ScheduleDialog({ name, at, after, words, onSchedule, onClose }: ScheduleDialogProps) {
  const problemOf = usePlanProblem();
  const zone = useTimeZone();
  const form = useForm({
    values: { scheduledAt: at ?? "" },
    check: ({ scheduledAt }) => {
      const problem = problemOf(scheduledAt || null, after);
      return problem === undefined ? {} : { scheduledAt: problem };
    },
    submit: async ({ scheduledAt }) => {
      await onSchedule(scheduledAt);
      onClose();
    },
  });
  const { value, error, name: field } = form.field("scheduledAt");
  return (
    <Dialog open onOpenChange={onClose} locked={form.isSending} title={words?.title ?? <Trans>Schedule publication</Trans>} description={<bdi>{name}</bdi>}>
      <Form form={form}>
        <DateTimeField kind="datetime" label={words?.label ?? <Trans>Publish at</Trans>} name={field} zone={zone} value={value || null} error={error} onChange={(at) => form.set("scheduledAt", at ?? "")} />
        <DialogActions>
          <Button onClick={onClose} disabled={form.isSending}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" pending={form.isSending}>
            {words?.confirm ?? <Trans>Schedule</Trans>}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
