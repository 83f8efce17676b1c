// All that can be said of a field: only what its type knows.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useId, type ReactNode } from "react";

import type { Collection, ContentField } from "~/api/types";
import { DateTimeField } from "~/components/DateTimeField";
import { Checkbox, SelectField, TextArea, TextField } from "~/components/Field";
import { PanelSection } from "~/components/panel/PanelSection";
import { Skeleton } from "~/components/states";
import { collections } from "~/content/collections";
import { useTimeZone } from "~/content/site";
import type { useForm } from "~/forms/useForm";
import { addTexts } from "~/lib/language";
import { lazily } from "~/lib/lazily";

import { Condition } from "./Condition";
import { ANY, fieldOf, hasOption, type Draft } from "./draft";
import { isAble, isWorthUnique, RULE_NAMES, rulesOf } from "./fieldTypes";
import { SubFields } from "./SubFields";
import { SlugField } from "./SlugField";
import type { useSlug } from "./useSlug";

const Single = lazily(() => Promise.all([import("~/editor/fields/Single"), addTexts("editor")]).then(([of]) => of.default));

export type DraftForm = ReturnType<typeof useForm<Draft>>;

interface FieldFormProps {
  form: DraftForm;
  collection: Collection;
  /** The field as it is; none for a new one. */
  field: ContentField | undefined;
  slug: ReturnType<typeof useSlug>;
  /** How many entries there are that a change is about. */
  entries: number | undefined;
  /** Told whether the default can be read as a value. */
  onDefaultRead: (isRead: boolean) => void;
}

export function FieldForm({ form, collection, field, slug, entries, onDefaultRead }: FieldFormProps) {
  const { values } = form;
  const { type, options } = values;
  const others = (collection.fields ?? []).filter(({ slug }) => slug !== field?.slug);
  const able = { type, isMany: options.allowMultiple };
  const rules = rulesOf(able);
  const hasLimits = rules.some((rule) => !["options", "subFields"].includes(rule));
  const errorIn = (...paths: Parameters<DraftForm["error"]>) => Boolean(form.error(...paths));
  return (
    <div className="-mx-4 grid border-t border-line [--container-control:100%]">
      <div className="grid gap-5 border-b border-line px-4 py-4">
        <Names {...{ form, field, slug }} />
        {type === "reference" && <Target {...{ form, own: collection, hasNumber: !field }} />}
        {rules.includes("options") && <Options form={form} />}
        {type === "slug" && <Source {...{ form, others }} />}
        {type === "repeater" && <SubFields form={form} field={field} />}
        <Help form={form} />
      </div>
      <PanelSection name="field-rules" title={<Trans>Rules and lists</Trans>} needsLook={errorIn("unique") || errorIn("indexed") || errorIn("searchable") || errorIn("required")}>
        <Switches {...{ form, field, able, entries }} />
      </PanelSection>
      {hasLimits && (
        <PanelSection name="field-limits" title={<Trans>Limits</Trans>} folded needsLook={errorIn("validation")}>
          <Limits form={form} />
        </PanelSection>
      )}
      {type !== "reference" && (
        <PanelSection name="field-default" title={<Trans>Default value</Trans>} folded needsLook={errorIn("defaultValue")}>
          <p className="mb-3 text-sm text-muted">
            <Trans>What new entries begin with. Entries that are there stay as they are.</Trans>
          </p>
          <Default {...{ form, others, onDefaultRead }} />
        </PanelSection>
      )}
      <PanelSection name="field-place" title={<Trans>Place in the form</Trans>} folded needsLook={errorIn("options")}>
        <Place {...{ form, others }} />
      </PanelSection>
    </div>
  );
}

function Names({ form, field, slug }: Pick<FieldFormProps, "form" | "field" | "slug">) {
  const label = form.field("label");
  const shown = form.field("slug");
  return (
    <>
      <TextField
        label={<Trans>Label</Trans>}
        hint={<Trans>What editors see above the field.</Trans>}
        maxLength={200}
        autoComplete="off"
        autoFocus={!field}
        {...label}
        onChange={(event) => {
          label.onChange(event);
          const made = slug.follow(event.target.value);
          if (made !== undefined) form.set("slug", made);
        }}
      />
      <SlugField
        hint={
          field && shown.value !== field.slug ? (
            <Trans>All entries keep their values. Sites and programs have to ask for them by the new name.</Trans>
          ) : (
            <Trans>The name in the API: lower-case letters, digits and underscores.</Trans>
          )
        }
        slug={slug}
        {...shown}
      />
    </>
  );
}

function Help({ form }: { form: DraftForm }) {
  return (
    <>
      <TextArea label={<Trans>Help</Trans>} optional rows={2} hint={<Trans>A sentence below the field that says what belongs in it.</Trans>} {...form.field("options.help")} />
      {hasOption(form.values.type, "placeholder") && (
        <TextField label={<Trans>Placeholder</Trans>} optional hint={<Trans>An example that is shown while the field is empty.</Trans>} autoComplete="off" {...form.field("options.placeholder")} />
      )}
    </>
  );
}

/** What a reference refers to. Whether there are several is a part of the type: of a field that is there, it is changed with that. */
export function Target({ form, own, hasNumber }: { form: DraftForm; own: Collection; hasNumber: boolean }) {
  const { t } = useLingui();
  const { data = [] } = useQuery(collections);
  const { collection, allowMultiple } = form.values.options;
  const isGone = collection !== "" && collection !== ANY && data.length > 0 && !data.some(({ slug }) => slug === collection);
  return (
    <>
      <SelectField label={<Trans>Refers to</Trans>} required {...form.field("options.collection")}>
        <option value="">{t`Choose a collection`}</option>
        {isGone && <option value={collection}>{t`${collection} (deleted)`}</option>}
        {data.map(({ slug, label }) => (
          <option key={slug} value={slug}>
            {slug === own.slug ? t`${label} (this collection)` : label}
          </option>
        ))}
        <option value={ANY}>{t`Entries of any collection`}</option>
      </SelectField>
      {hasNumber && (
        <SelectField
          label={<Trans>How many</Trans>}
          name="options.allowMultiple"
          error={form.error("options.allowMultiple")}
          value={allowMultiple ? "many" : "one"}
          onChange={(event) => form.set("options.allowMultiple", event.target.value === "many")}
        >
          <option value="one">{t`One entry`}</option>
          <option value="many">{t`Several entries, in an order`}</option>
        </SelectField>
      )}
      <SelectField label={<Trans>When an entry that is referred to is deleted for good</Trans>} {...form.field("options.onDelete")}>
        <option value="clear">{t`Take the reference out`}</option>
        <option value="restrict">{t`Keep it from being deleted`}</option>
      </SelectField>
    </>
  );
}

export function Options({ form }: { form: DraftForm }) {
  return (
    <TextArea
      label={<Trans>Options</Trans>}
      rows={5}
      optional
      hint={<Trans>One per line, in the order in which they are offered. Without any, editors can type whatever they like.</Trans>}
      {...form.field("validation.options")}
    />
  );
}

function Source({ form, others }: { form: DraftForm; others: ContentField[] }) {
  const { t } = useLingui();
  return (
    <SelectField label={<Trans>Made from</Trans>} hint={<Trans>Editors can have it made from this field with one click.</Trans>} {...form.field("options.source")}>
      <option value="">{t`The title`}</option>
      {others
        .filter(({ type }) => isAble({ type }, "text"))
        .map(({ slug, label }) => (
          <option key={slug} value={slug}>
            {label}
          </option>
        ))}
    </SelectField>
  );
}

interface SwitchesProps extends Pick<FieldFormProps, "form" | "field" | "entries"> {
  able: Parameters<typeof isAble>[0];
}

function Switches({ form, field, able, entries }: SwitchesProps) {
  const { values } = form;
  const isCostly = field !== undefined && entries !== 0;
  const error = (name: "required" | "unique" | "indexed" | "searchable" | "translatable") => form.error(name) && <p className="text-sm text-bad">{form.error(name)}</p>;
  return (
    <div className="grid gap-4">
      <Checkbox
        label={<Trans>Required</Trans>}
        hint={field && !field.required && values.required ? <Trans>Entries without a value stay as they are; they need one when they are next published.</Trans> : <Trans>An entry needs a value to be published.</Trans>}
        {...form.box("required")}
      />
      {error("required")}
      {(isWorthUnique(able) || (isAble(able, "sorted") && values.unique)) && (
        <Checkbox
          label={<Trans>Unique</Trans>}
          hint={
            isCostly && !field.unique && values.unique ? (
              <Cost entries={entries}>
                <Trans>All values are compared, in the background if there are many. If two entries have the same value, the field does not become unique, and you see which they are.</Trans>
              </Cost>
            ) : (
              <Trans>No two entries of a language may have the same value.</Trans>
            )
          }
          {...form.box("unique")}
        />
      )}
      {error("unique")}
      {isAble(able, "indexed") && (
        <Checkbox
          label={<Trans>Filter and sort lists by it</Trans>}
          hint={
            isCostly && !field.indexed && values.indexed ? (
              <Cost entries={entries}>
                <Trans>An index is built in the background. Lists can use it once it is complete; everything else goes on meanwhile.</Trans>
              </Cost>
            ) : (
              <Trans>Keeps an index, which makes saving a little slower.</Trans>
            )
          }
          {...form.box("indexed")}
        />
      )}
      {error("indexed")}
      {isAble(able, "searched") && <Checkbox label={<Trans>Search finds it</Trans>} hint={<Trans>Full-text search looks into this field.</Trans>} {...form.box("searchable")} />}
      {error("searchable")}
      <Checkbox
        label={<Trans>Each language has its own value</Trans>}
        hint={
          field?.translatable && !values.translatable ? (
            <Trans>This is refused if translations of an entry have different values now.</Trans>
          ) : (
            <Trans>Otherwise all translations of an entry share one value, such as a price.</Trans>
          )
        }
        {...form.box("translatable")}
      />
      {error("translatable")}
    </div>
  );
}

/** What a change costs, said before it is made. */
function Cost({ entries, children }: { entries: number | undefined; children: ReactNode }) {
  return (
    <span className="text-warn">
      {entries !== undefined && (
        <>
          <Plural value={entries} one="There is # entry." other="There are # entries." />{" "}
        </>
      )}
      {children}
    </span>
  );
}

function Limits({ form }: { form: DraftForm }) {
  const { i18n } = useLingui();
  const zone = useTimeZone();
  const { type, options, validation } = form.values;
  const rules = rulesOf({ type, isMany: options.allowMultiple });
  const number = (rule: "min" | "max" | "minLength" | "maxLength" | "minItems" | "maxItems") =>
    rules.includes(rule) && <TextField label={i18n._(RULE_NAMES[rule])} optional inputMode="decimal" dir="ltr" autoComplete="off" {...form.field(`validation.${rule}`)} />;
  const date = (rule: "minDate" | "maxDate") =>
    rules.includes(rule) && (
      <DateTimeField
        label={i18n._(RULE_NAMES[rule])}
        optional
        kind="datetime"
        zone={zone}
        name={`validation.${rule}`}
        value={validation[rule]}
        error={form.error(`validation.${rule}`)}
        onChange={(value) => form.set(`validation.${rule}`, value)}
      />
    );
  return (
    <div className="grid gap-5">
      <div className="grid grid-cols-2 items-start gap-3 empty:hidden">
        {number("min")}
        {number("max")}
        {number("minLength")}
        {number("maxLength")}
        {number("minItems")}
        {number("maxItems")}
      </div>
      {date("minDate")}
      {date("maxDate")}
      {rules.includes("pattern") && (
        <TextField
          label={i18n._(RULE_NAMES.pattern)}
          optional
          hint={<Trans>A regular expression that the text has to match, such as ^[A-Z] for a capital at the beginning.</Trans>}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          className="[&_input]:font-mono"
          {...form.field("validation.pattern")}
        />
      )}
      {rules.includes("allowedMimeTypes") && (
        <TextArea
          label={i18n._(RULE_NAMES.allowedMimeTypes)}
          optional
          dir="ltr"
          placeholder={type === "image" ? "image/png" : "application/pdf"}
          hint={<Trans>One media type per line, such as image/png; image/ allows all images. Without any, every type is allowed.</Trans>}
          {...form.field("validation.allowedMimeTypes")}
        />
      )}
    </div>
  );
}

function Default({ form, others, onDefaultRead }: { form: DraftForm; others: ContentField[]; onDefaultRead: (isRead: boolean) => void }) {
  const { t } = useLingui();
  const { type, validation, options } = fieldOf(form.values, others);
  const shape = { slug: "defaultValue", label: t`Default value`, type, required: false, validation, options: { rows: options.rows } };
  return (
    <Suspense fallback={<Skeleton className="h-16 w-full rounded-md" />}>
      <Single
        key={type}
        field={shape}
        value={form.values.defaultValue}
        error={form.error("defaultValue")}
        onChange={(value, isRead) => {
          onDefaultRead(isRead);
          form.set("defaultValue", value ?? null);
        }}
      />
    </Suspense>
  );
}

function Place({ form, others }: { form: DraftForm; others: ContentField[] }) {
  const { t } = useLingui();
  const { type } = form.values;
  const id = useId();
  const known = (name: "group" | "tab") => [...new Set(others.map(({ options }) => options?.[name]).filter((text): text is string => typeof text === "string" && text !== ""))];
  const named = (name: "group" | "tab", label: ReactNode, hint: ReactNode) => (
    <>
      <TextField label={label} hint={hint} optional autoComplete="off" list={`${id}-${name}`} maxLength={200} {...form.field(`options.${name}`)} />
      <datalist id={`${id}-${name}`}>
        {known(name).map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </>
  );
  return (
    <div className="grid gap-5">
      <SelectField label={<Trans>Width</Trans>} {...form.field("options.width")}>
        <option value="full">{t`Full`}</option>
        <option value="two-thirds">{t`Two thirds`}</option>
        <option value="half">{t`Half`}</option>
        <option value="third">{t`A third`}</option>
      </SelectField>
      {named("group", <Trans>Group</Trans>, <Trans>Fields with the same group stand in a box of that name.</Trans>)}
      {named("tab", <Trans>Tab</Trans>, <Trans>Fields with the same tab stand on a page of that name.</Trans>)}
      {hasOption(type, "rows") && <TextField label={<Trans>Height in lines</Trans>} optional inputMode="numeric" dir="ltr" autoComplete="off" {...form.field("options.rows")} />}
      <Condition value={form.values.options.condition} onChange={(condition) => form.set("options.condition", condition)} others={others} />
    </div>
  );
}
