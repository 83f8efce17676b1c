// What is asked before something is done: the instant that is planned, or whether what cannot be taken back is meant.

import { Trans } from "@lingui/react/macro";
import { Suspense } from "react";

import type { AnyEntry } from "~/api/types";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { ScheduleDialog } from "~/content/dialogs";

import type { PlanDeed } from "./steps";
import type { Offer } from "./offers";

/** What was chosen with which entry. */
export interface Question {
  entry: AnyEntry;
  offer: Offer;
}

interface AskedProps extends Question {
  name: string;
  onDeed: (deed: PlanDeed) => void;
  onClose: () => void;
}

export function Asked({ entry, offer, name, onDeed, onClose }: AskedProps) {
  const { scheduledAt, unpublishAt } = entry;
  /** What comes of it is told at the entry. */
  const done = (deed: PlanDeed) => {
    onDeed(deed);
    return Promise.resolve();
  };
  if (offer === "schedule" || offer === "end") {
    const isEnd = offer === "end";
    return (
      <Suspense>
        <ScheduleDialog
          name={name}
          at={isEnd ? unpublishAt : scheduledAt}
          after={isEnd ? scheduledAt : undefined}
          {...(isEnd && { words: { title: <Trans>Unpublish later</Trans>, label: <Trans>Unpublish at</Trans>, confirm: <Trans>Save</Trans> } })}
          {...(!isEnd && scheduledAt !== null && { words: { title: <Trans>Move to another day</Trans>, label: <Trans>Publish at</Trans>, confirm: <Trans>Save</Trans> } })}
          onClose={onClose}
          onSchedule={(at) => done(isEnd ? { kind: "end", at } : { kind: "schedule", at })}
        />
      </Suspense>
    );
  }
  const isPublishing = offer === "publish";
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={
        isPublishing ? (
          <Trans>
            Publish the changes of <bdi>{name}</bdi>?
          </Trans>
        ) : (
          <Trans>
            Unpublish <bdi>{name}</bdi>?
          </Trans>
        )
      }
      description={
        isPublishing ? (
          <Trans>They take the place of what is public now.</Trans>
        ) : (
          <Trans>It disappears from the site. Its unpublished changes stay here, and take the place of what was public.</Trans>
        )
      }
      confirm={isPublishing ? <Trans>Publish changes</Trans> : <Trans>Unpublish</Trans>}
      onConfirm={() => done({ kind: isPublishing ? "publish" : "unpublish" })}
    />
  );
}
