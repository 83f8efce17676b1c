// Another type for a field that is there: chosen, looked at, and then changed.

import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import type { Collection, ContentField } from "~/api/types";
import { Dialog } from "~/components/Dialog";

import type { Draft } from "../draft";
import { TypeGrid } from "../TypeGrid";
import { formOf, retyped, type Form } from "./retyped";
import { Retyping } from "./Retyping";
import type { Place } from "./useRetype";

interface RetypeDialogProps {
  collection: Collection;
  field: ContentField;
  /** The type that somebody has chosen already, as one that it had. */
  start: Form | undefined;
  onClose: () => void;
}

/** What is worked at: the field as it was read, and what it shall be. */
interface Work {
  place: Place;
  draft: Draft;
  /** Each beginning is another one, which knows nothing of what went wrong before. */
  round: number;
}

export function RetypeDialog({ collection, field, start, onClose }: RetypeDialogProps) {
  const workOn = (form: Form): Work => ({ place: { collection, field }, draft: retyped(field, form), round: 0 });
  const [work, setWork] = useState(() => start && workOn(start));
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
          onOther={() => setWork(undefined)}
          onAgain={(place, draft) => setWork({ place, draft, round: work.round + 1 })}
          onSending={setSending}
          onDone={onClose}
        />
      ) : (
        // Of references there are two sorts, so whoever chooses it again wants the other one.
        <TypeGrid now={now.type} onChoose={(type) => setWork(workOn({ type, allowMultiple: type === now.type && !now.allowMultiple }))} />
      )}
    </Dialog>
  );
}
