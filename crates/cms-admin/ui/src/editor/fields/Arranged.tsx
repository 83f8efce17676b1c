// Fields in tabs, groups and columns as their options say, or one below the other, however each is drawn.

import { useLingui } from "@lingui/react/macro";
import { useMemo, type ReactNode } from "react";

import { Tabs } from "~/components/Tabs";
import { cx } from "~/lib/cx";

import type { Field } from "../model/values";
import { layoutOf, type Group } from "./layout";
import { lookOf, type Width } from "./shape";

const WIDTHS: Record<Width, string> = { full: "sm:col-span-12", half: "sm:col-span-6", third: "sm:col-span-4", "two-thirds": "sm:col-span-8" };

interface Drawing {
  /** Draws the name of a tab or a group, which may be marked for what is in it. */
  name: (name: string, fields: Field[]) => ReactNode;
  children: (field: Field) => ReactNode;
}

interface ArrangedProps extends Drawing {
  fields: Field[];
  /** The tab that is open; the first where there is no such. */
  tab: string;
  onTab: (tab: string) => void;
}

export function Arranged({ fields, tab, onTab, ...drawing }: ArrangedProps) {
  const { t } = useLingui();
  const tabs = useMemo(() => layoutOf(fields), [fields]);
  if (tabs.length < 2) return <Groups groups={tabs[0]?.groups ?? []} {...drawing} />;
  const nameOf = (name: string | undefined) => name ?? t`Main`;
  return (
    <Tabs
      label={t`Parts of the entry`}
      value={tabs.some(({ name }) => (name ?? "") === tab) ? tab : (tabs[0]?.name ?? "")}
      onChange={onTab}
      tabs={tabs.map(({ name, groups }) => ({
        value: name ?? "",
        label: drawing.name(nameOf(name), groups.flatMap(({ fields }) => fields)),
        content: <Groups groups={groups} {...drawing} />,
      }))}
    />
  );
}

function Groups({ groups, ...drawing }: Drawing & { groups: Group[] }) {
  return (
    <div className="grid gap-6">
      {groups.map(({ name, fields }, n) =>
        name === undefined ? (
          <Columns key={n} fields={fields} {...drawing} />
        ) : (
          <fieldset key={n} className="min-w-0 rounded-lg border border-line bg-surface px-4 pt-3 pb-5 sm:px-5">
            <legend className="-ms-1.5 px-1.5 text-md font-semibold">{drawing.name(name, fields)}</legend>
            <Columns fields={fields} {...drawing} />
          </fieldset>
        ),
      )}
    </div>
  );
}

function Columns({ fields, children }: Drawing & { fields: Field[] }) {
  return (
    <div className="grid gap-x-5 gap-y-6 sm:grid-cols-12">
      {fields.map((field) => (
        <div key={field.id} className={cx("min-w-0 empty:hidden", WIDTHS[lookOf(field).width])}>
          {children(field)}
        </div>
      ))}
    </div>
  );
}
