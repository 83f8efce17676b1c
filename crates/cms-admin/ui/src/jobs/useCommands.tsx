// What people do to jobs: a button for each, and the question before one ends.

import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ban, CirclePause, CirclePlay, RotateCcw } from "lucide-react";
import { useState, type ReactNode } from "react";

import { answer, api } from "~/api/client";
import type { Job } from "~/api/types";
import { Button } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { toast } from "~/components/toast";

import { jobs } from "./useJobs";
import { useName } from "./useName";
import { COMMANDS, type Command } from "./words";

/** The buttons of a job, and the dialog that one of them opens. */
export function useCommands(): { buttons: (job: Job) => ReactNode; dialog: ReactNode } {
  const { i18n } = useLingui();
  const queries = useQueryClient();
  const [cancelled, setCancelled] = useState<Job>();
  const change = useMutation({
    mutationFn: ({ id, command }: { id: string; command: Command }) => {
      const path = `/admin/jobs/{id}/${command}` as const;
      return answer(api.POST(path, { params: { path: { id } } }));
    },
    onSuccess: (_, { command }) => toast.good(i18n._(COMMANDS[command].told)),
    onError: toast.bad,
    onSettled: () => queries.invalidateQueries(jobs),
  });
  const name = useName();
  const buttons = (job: Job) => {
    const pending = change.isPending && change.variables.id === job.id;
    const button = (command: Command, icon: ReactNode) => (
      <Button
        key={command}
        size="sm"
        icon={icon}
        pending={pending && change.variables.command === command}
        aria-label={`${i18n._(COMMANDS[command].words)}: ${name(job)}`}
        onClick={() => (command === "cancel" ? setCancelled(job) : change.mutate({ id: job.id, command }))}
      >
        {i18n._(COMMANDS[command].words)}
      </Button>
    );
    if (job.state === "failed") return [button("retry", <RotateCcw />)];
    const other = job.state === "paused" ? button("resume", <CirclePlay />) : button("pause", <CirclePause />);
    return [other, button("cancel", <Ban />)];
  };
  const dialog = cancelled && (
    <ConfirmDialog
      open
      danger
      onOpenChange={() => setCancelled(undefined)}
      title={<Trans>Cancel this job?</Trans>}
      description={<Trans>What it has done stays done. It cannot be resumed.</Trans>}
      confirm={<Trans>Cancel the job</Trans>}
      onConfirm={() => change.mutateAsync({ id: cancelled.id, command: "cancel" })}
    />
  );
  return { buttons, dialog };
}
