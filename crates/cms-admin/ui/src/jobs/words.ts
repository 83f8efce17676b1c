// Jobs and tasks in words.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

import type { Job, Task } from "~/api/types";
import type { Tone } from "~/components/Badge";

/** What the kinds of jobs that are built in are called. The server names the others. */
export const KINDS: Record<string, MessageDescriptor> = {
  "site.sample_content": msg`Create sample content`,
  "content.purge_leftovers": msg`Remove values of deleted fields`,
  "content.register_unique": msg`Register unique values`,
  "content.clear_rows": msg`Clear what deleted fields left behind`,
  "media.index_usage": msg`Look up where files are used`,
  "media.clear_usage": msg`Forget which files a deleted collection used`,
  "content.bulk": msg`Change many entries`,
  "content.import_lines": msg`Import content`,
  "content.export_lines": msg`Export content`,
  "content.remove_entries": msg`Remove the entries of a deleted collection`,
};

export const STATES: Record<Job["state"], { words: MessageDescriptor; tone: Tone }> = {
  queued: { words: msg`Waiting`, tone: "neutral" },
  running: { words: msg`Running`, tone: "accent" },
  paused: { words: msg`Paused`, tone: "warn" },
  done: { words: msg`Done`, tone: "good" },
  failed: { words: msg`Failed`, tone: "bad" },
  cancelled: { words: msg`Cancelled`, tone: "neutral" },
};

/** What is done to a job, and what people are told of it. */
export const COMMANDS = {
  pause: { words: msg`Pause`, told: msg`The job is paused.` },
  resume: { words: msg`Resume`, told: msg`The job continues.` },
  cancel: { words: msg`Cancel`, told: msg`The job is cancelled.` },
  retry: { words: msg`Try again`, told: msg`The job will be tried again.` },
} as const;

export type Command = keyof typeof COMMANDS;

export const HEALTH: Record<Task["health"], { words: MessageDescriptor; tone: Tone }> = {
  well: { words: msg`Well`, tone: "good" },
  failing: { words: msg`Failing`, tone: "bad" },
  missed: { words: msg`Not heard from`, tone: "warn" },
};

/** What the tasks are called. */
export const TASKS: Record<string, MessageDescriptor> = {
  follow_events: msg`Follow the other servers`,
  publish_due: msg`Publish what is due`,
  reindex_fields: msg`Build and drop indexes`,
  prune: msg`Remove what has expired`,
  record_use: msg`Record when tokens are used`,
  seal_audit: msg`Seal the audit log`,
  follow_media_usage: msg`Keep track of where files are used`,
  sweep_media: msg`Remove files that nothing has`,
  tell_hooks: msg`Tell hooks of changes`,
  watch_version: msg`Look for newer servers`,
};
