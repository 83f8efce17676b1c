// The fields of an entry: in tabs, groups and columns as their options say, or one below the other.

import { useLingui } from "@lingui/react/macro";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { Arranged } from "./fields/Arranged";
import { EntryField } from "./fields/EntryField";
import { useCell } from "./model/cell";
import { byField, useDraft, useFields, useSession } from "./model/context";
import type { Field } from "./model/values";

export function Form({ tab, onTab, readOnly }: { tab: string; onTab: (tab: string) => void; readOnly: boolean }) {
  const fields = useFields();
  return (
    <Arranged fields={fields} tab={tab} onTab={onTab} name={(name, fields) => <Marked fields={fields}>{name}</Marked>}>
      {(field) => <EntryField field={field} readOnly={readOnly} />}
    </Arranged>
  );
}

/** A name with a mark where something below it needs a look. */
function Marked({ fields, children }: { fields: Field[]; children: ReactNode }) {
  const { t } = useLingui();
  const isTried = useCell(useSession().isTried);
  const isMarked = useDraft(({ issues }) => fields.some(({ slug }) => byField(issues).has(slug)));
  return (
    <span className="inline-flex items-center gap-1.5">
      {children}
      {isTried && isMarked && <CircleAlert role="img" aria-label={t`Needs a look`} className="size-4 text-bad" />}
    </span>
  );
}
