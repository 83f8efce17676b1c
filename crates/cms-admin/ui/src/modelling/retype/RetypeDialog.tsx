// Another type for a field that is there: chosen, looked at, and then changed.

import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import type { Collection, ContentField } from "~/api/types";
import { Dialog } from "~/components/Dialog";

import { TypeGrid } from "../TypeGrid";
import { formOf, workOn, type Work } from "./retyped";
import { Retyping } from "./Retyping";

interface RetypeDialogProps {
  collection: Collection;
  field: ContentField;
  /** None as long as no type is chosen. Whoever shows the dialog keeps it: on a screen that gets narrower it is another dialog. */
  work: Work | undefined;
  onWork: (change: (work: Work | undefined) => Work | undefined) => void;
  onClose: () => void;
}

export function RetypeDialog({ collection, field, work, onWork, onClose }: RetypeDialogProps) {
  const [isSending, setSending] = useState(false);
  const { label } = field;
  const now = formOf(field);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      locked={isSending}
      title={
        <Trans>
          Change the type of “<bdi>{label}</bdi>”
        </Trans>
      }
      description={!work && <Trans>You first see what would become of its values. Nothing changes until you confirm it.</Trans>}
    >
      {work ? (
        <Retyping
          key={`${work.draft.type} ${work.round}`}
          place={work.place}
          draft={work.draft}
          onOther={() => onWork(() => undefined)}
          onAgain={(place, draft) => onWork(() => ({ place, draft, round: work.round + 1 }))}
          onKeep={(draft) => onWork((now) => (now?.round === work.round && now.draft.type === draft.type ? { ...now, draft } : now))}
          onSending={setSending}
          onDone={onClose}
        />
      ) : (
        // Of references there are two sorts, so whoever chooses it again wants the other one.
        <TypeGrid now={now.type} onChoose={(type) => onWork(() => workOn({ collection, field }, { type, allowMultiple: type === now.type && !now.allowMultiple }))} />
      )}
    </Dialog>
  );
}
