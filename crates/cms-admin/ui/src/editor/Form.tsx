// The fields of an entry: in tabs, groups and columns as their options say, or one below the other.

import { useLingui } from "@lingui/react/macro";
import { CircleAlert } from "lucide-react";
import { useMemo, type ReactNode } from "react";

import { Tabs } from "~/components/Tabs";
import { cx } from "~/lib/cx";

import { EntryField } from "./fields/EntryField";
import { lookOf, type Width } from "./fields/shape";
import { useCell } from "./model/cell";
import { byField, useDraft, useFields, useSession } from "./model/context";
import { layoutOf, type Group } from "./fields/layout";
import type { Field } from "./model/values";

const WIDTHS: Record<Width, string> = { full: "sm:col-span-12", half: "sm:col-span-6", third: "sm:col-span-4", "two-thirds": "sm:col-span-8" };

export function Form({ tab, onTab, readOnly }: { tab: string; onTab: (tab: string) => void; readOnly: boolean }) {
  const { t } = useLingui();
  const fields = useFields();
  const tabs = useMemo(() => layoutOf(fields), [fields]);
  if (tabs.length < 2) return <Groups groups={tabs[0]?.groups ?? []} readOnly={readOnly} />;
  const nameOf = (name: string | undefined) => name ?? t`Main`;
  return (
    <Tabs
      label={t`Parts of the entry`}
      value={tabs.some(({ name }) => (name ?? "") === tab) ? tab : (tabs[0]?.name ?? "")}
      onChange={onTab}
      tabs={tabs.map(({ name, groups }) => ({
        value: name ?? "",
        label: <Marked fields={groups.flatMap(({ fields }) => fields)}>{nameOf(name)}</Marked>,
        content: <Groups groups={groups} readOnly={readOnly} />,
      }))}
    />
  );
}

function Groups({ groups, readOnly }: { groups: Group[]; readOnly: boolean }) {
  return (
    <div className="grid gap-6">
      {groups.map(({ name, fields }, n) =>
        name === undefined ? (
          <Columns key={n} fields={fields} readOnly={readOnly} />
        ) : (
          <fieldset key={n} className="min-w-0 rounded-lg border border-line bg-surface px-4 pt-3 pb-5 sm:px-5">
            <legend className="-ms-1.5 px-1.5 text-md font-semibold">
              <Marked fields={fields}>{name}</Marked>
            </legend>
            <Columns fields={fields} readOnly={readOnly} />
          </fieldset>
        ),
      )}
    </div>
  );
}

function Columns({ fields, readOnly }: { fields: Field[]; readOnly: boolean }) {
  return (
    <div className="grid gap-x-5 gap-y-6 sm:grid-cols-12">
      {fields.map((field) => (
        <div key={field.id} className={cx("min-w-0 empty:hidden", WIDTHS[lookOf(field).width])}>
          <EntryField field={field} readOnly={readOnly} />
        </div>
      ))}
    </div>
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
