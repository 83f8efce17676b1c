// What becomes of one collection: made, changed or deleted, step by step.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Minus, PenLine, Plus, Replace } from "lucide-react";
import type { ReactNode } from "react";

import { Badge } from "~/components/Badge";
import { Card } from "~/components/Card";
import { Select } from "~/components/Field";

import { Changed } from "./Changed";
import { costsOf, newNamesOf, partsOf, type Cost, type Group, type Names, type Plan, type Step } from "./plan";

interface GroupCardProps {
  group: Group;
  plan: Plan;
  names: Names;
  /** Says that a field that would be deleted is there by another name; not offered where this is left out. */
  onRename?: ((name: string, to: string) => void) | undefined;
  /** The fields whose values are converted. */
  convert: ReadonlySet<string>;
  /** Says that the values of a field that gets another type are converted, or not; not offered where this is left out. */
  onConvert?: ((name: string, converts: boolean) => void) | undefined;
}

export function GroupCard({ group, plan, names, onRename, convert, onConvert }: GroupCardProps) {
  const { slug, label, kind, steps, fields } = group;
  const title = (
    <span className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
      <bdi className="wrap-anywhere">{label}</bdi>
      <code dir="ltr" className="font-mono text-xs font-normal break-all text-muted">
        {slug}
      </code>
      <Kind kind={kind} />
    </span>
  );
  return (
    <Card id={`plan-${slug}`} flush title={title}>
      <ul className="divide-y divide-line border-t border-line">
        {steps.map((step) => (
          <li key={`${step.action} ${step.name}`} className="px-5 py-3">
            <StepLine step={step} plan={plan} names={names} fields={fields} {...{ onRename, convert, onConvert }} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Kind({ kind }: Pick<Group, "kind">) {
  if (kind === "made") {
    return (
      <Badge tone="good">
        <Trans>New collection</Trans>
      </Badge>
    );
  }
  if (kind === "deleted") {
    return (
      <Badge tone="bad">
        <Trans>Deleted</Trans>
      </Badge>
    );
  }
  return (
    <Badge tone="accent">
      <Trans>Changed</Trans>
    </Badge>
  );
}

interface StepLineProps extends Pick<GroupCardProps, "onRename" | "convert" | "onConvert"> {
  step: Step;
  plan: Plan;
  names: Names;
  fields: number;
}

function StepLine({ step, plan, names, fields, onRename, convert, onConvert }: StepLineProps) {
  const { t } = useLingui();
  const { collection, field = "" } = partsOf(step.name);
  const label = names.field(collection, field);
  const loses = step.loses ?? 0;
  switch (step.action) {
    case "create_collection":
      return (
        <Line icon={<Plus className="text-good" />}>
          <Plural value={fields} _0="It is created, without fields." one="It is created, with # field." other="It is created, with # fields." />
        </Line>
      );
    case "delete_collection":
      return (
        <Line icon={<Minus className="text-bad" />}>
          {loses > 0 ? (
            <Plural value={loses} one="It is deleted for good, with # entry and its history." other="It is deleted for good, with # entries and their history." />
          ) : (
            <Trans>It is deleted. It has no entries.</Trans>
          )}
        </Line>
      );
    case "create_field":
      return (
        <Line icon={<Plus className="text-good" />}>
          <Trans>
            The field <Name label={label} slug={field} /> is added.
          </Trans>
        </Line>
      );
    case "rename_field": {
      const to = String(step.changes[0]?.to);
      return (
        <Line icon={<Replace className="text-accent-ink" />}>
          <Trans>
            The field <Name label={label} slug={field} /> is called <Slug>{to}</Slug> from then on, and keeps its values.
          </Trans>
        </Line>
      );
    }
    case "update_field":
      return (
        <Line icon={<PenLine className="text-accent-ink" />} more={<Changes step={step} converts={convert.has(step.name)} onConvert={onConvert && ((converts) => onConvert(step.name, converts))} />}>
          <Trans>
            The field <Name label={label} slug={field} /> changes.
          </Trans>
        </Line>
      );
    case "update_collection":
      return (
        <Line icon={<PenLine className="text-accent-ink" />} more={<Changes step={step} />}>
          <Trans>Its settings change.</Trans>
        </Line>
      );
    case "delete_field": {
      const newNames = onRename ? newNamesOf(step, plan, names) : [];
      return (
        <Line
          icon={<Minus className="text-bad" />}
          more={
            newNames.length > 0 && (
              <label className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
                <Trans>Or is it in the file by another name?</Trans>
                <Select aria-label={t`New name of ${label}`} className="w-56" value="" onChange={({ target }) => onRename?.(step.name, target.value)}>
                  <option value="">{t`No, delete it`}</option>
                  {newNames.map((slug) => (
                    <option key={slug} value={slug}>
                      {`${names.field(collection, slug)} (${slug})`}
                    </option>
                  ))}
                </Select>
              </label>
            )
          }
        >
          <Trans>
            The field <Name label={label} slug={field} /> is deleted.
          </Trans>{" "}
          {loses > 0 && (
            <span className="font-medium text-bad">
              <Plural value={loses} one="# entry may lose its value." other="# entries may lose their values." />
            </span>
          )}
        </Line>
      );
    }
  }
}

function Line({ icon, children, more }: { icon: ReactNode; children: ReactNode; more?: ReactNode }) {
  return (
    <div className="flex gap-2.5">
      <span aria-hidden className="mt-0.5 shrink-0 [&_svg]:size-4">
        {icon}
      </span>
      <div className="grid min-w-0 grow gap-1.5">
        <p className="wrap-anywhere">{children}</p>
        {more}
      </div>
    </div>
  );
}

function Name({ label, slug }: { label: string; slug: string }) {
  return (
    <>
      <bdi className="font-medium">{label}</bdi>
      {label !== slug && (
        <>
          {" "}
          <Slug>{slug}</Slug>
        </>
      )}
    </>
  );
}

function Slug({ children }: { children: string }) {
  return (
    <bdi>
      <code className="font-mono text-xs">{children}</code>
    </bdi>
  );
}

interface ChangesProps {
  step: Step;
  converts?: boolean;
  onConvert?: ((converts: boolean) => void) | undefined;
}

function Changes({ step, converts = false, onConvert }: ChangesProps) {
  const costs = costsOf(step);
  return (
    <>
      <Changed changes={step.changes} />
      {costs.length > 0 && (
        <ul className="grid list-disc gap-0.5 ps-5 text-sm text-warn">
          {costs.map((cost) => (
            <li key={cost}>
              <CostText cost={cost} converts={converts} />
            </li>
          ))}
        </ul>
      )}
      {costs.includes("retype") && (
        <label className="flex gap-2.5 text-sm">
          <input type="checkbox" className="mt-[0.2rem] size-4 shrink-0" checked={converts} disabled={!onConvert} onChange={({ target }) => onConvert?.(target.checked)} />
          <Trans>Convert values that do not fit</Trans>
        </label>
      )}
    </>
  );
}

function CostText({ cost, converts }: { cost: Cost; converts: boolean }) {
  switch (cost) {
    case "retype":
      if (converts) return <Trans>Values are shown as what they say in the new type. What says nothing in it is kept, is not shown, and comes back with the former type.</Trans>;
      return <Trans>Every stored value has to be one of the new type as it is; otherwise nothing at all is changed.</Trans>;
    case "index":
      return <Trans>An index is built in the background. Until then lists cannot filter by it.</Trans>;
    case "unique":
      return <Trans>Stored values are looked at: where two are the same, nothing is changed, or a job says which and the field is not unique after all.</Trans>;
    case "required":
      return <Trans>Entries without a value need one when they are next published.</Trans>;
    case "sameInAll":
      return <Trans>Translations may not differ in it already; otherwise nothing at all is changed.</Trans>;
    case "composite":
      return <Trans>Indexes over several fields are built or dropped in the background.</Trans>;
  }
}
