// What is said of a collection as a whole.

import { Trans, useLingui } from "@lingui/react/macro";
import { Plus, Trash2 } from "lucide-react";
import { useMemo } from "react";

import { answer, api } from "~/api/client";
import type { Collection, ContentField } from "~/api/types";
import { Button, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { Checkbox, SelectField, TextArea, TextField } from "~/components/Field";
import { PickerListField } from "~/components/picker/PickerField";
import { knownSource } from "~/components/picker/source";
import { toast } from "~/components/toast";
import { titleField } from "~/content/titleField";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";

import { useChange } from "./change";
import { isAble } from "./fieldTypes";
import { IconField } from "./IconField";
import { useExplain } from "./Refusal";
import { settingsChanged, settingsOf, type Settings } from "./settings";
import { SupportsField } from "./Supports";

/** The most columns of a list, fields of an index, and such indexes (`cms-content/src/schema/rules.rs`, `cms-domain/src/collection.rs`). */
const MOST = { columns: 4, fields: 4, indexes: 8 };

type SettingsState = ReturnType<typeof useForm<Settings>>;

export function SettingsForm({ collection }: { collection: Collection }) {
  const { t } = useLingui();
  const send = useChange();
  const values = useMemo(() => settingsOf(collection), [collection]);
  const form = useForm<Settings>({
    values,
    explain: useExplain(),
    check: ({ commentsClosedAfterDays, indexes }) => ({
      ...(/^\d+$/.test(commentsClosedAfterDays.trim()) ? {} : { commentsClosedAfterDays: t`Enter a number of days.` }),
      ...Object.fromEntries(indexes.flatMap(({ fields }, n) => (fields.length < 2 ? [[`indexes.${n}.fields`, t`Choose at least two fields.`]] : []))),
    }),
    submit: async (settings) => {
      await send({
        collection,
        of: settingsOf,
        send: (_rev) => answer(api.PUT("/schema/collections/{slug}", { params: { path: { slug: collection.slug } }, body: { ...settingsChanged(collection, settings), _rev } })),
      });
      toast.good(<Trans>Saved.</Trans>);
    },
  });
  const fields = collection.fields ?? [];
  return (
    <Form form={form} guarded>
      <Names form={form} slug={collection.slug} />
      <Lists form={form} collection={collection} />
      <OnTheSite form={form} />
      <Card title={<Trans>What entries can do</Trans>}>
        <div className="grid gap-5">
          <SupportsField value={form.values.supports} error={form.error("supports")} onChange={(supports) => form.set("supports", supports)} />
          <Checkbox label={<Trans>One editor at a time</Trans>} hint={<Trans>While somebody edits an entry, others can read it and ask for it, but not save.</Trans>} {...form.box("editLocking")} />
        </div>
      </Card>
      <Comments form={form} />
      <Indexes form={form} fields={fields} />
      <div className="sticky bottom-0 z-10 -mx-1 flex justify-end gap-2 border-t border-line bg-canvas/90 px-1 py-3 backdrop-blur-md">
        <Button disabled={!form.isDirty || form.isSending} onClick={form.reset}>
          <Trans>Discard changes</Trans>
        </Button>
        <Button type="submit" variant="primary" pending={form.isSending} disabled={!form.isDirty}>
          <Trans>Save settings</Trans>
        </Button>
      </div>
    </Form>
  );
}

function Names({ form, slug }: { form: SettingsState; slug: string }) {
  return (
    <Card title={<Trans>Names</Trans>}>
      <div className="grid gap-5">
        <TextField label={<Trans>Name</Trans>} hint={<Trans>What the entries are called, such as “Articles”.</Trans>} maxLength={200} autoComplete="off" {...form.field("label")} />
        <TextField label={<Trans>Name of one entry</Trans>} hint={<Trans>Such as “Article”.</Trans>} optional maxLength={200} autoComplete="off" {...form.field("labelSingular")} />
        <TextField label={<Trans>Slug</Trans>} hint={<Trans>The name in the API. It never changes.</Trans>} readOnly dir="ltr" className="[&_input]:font-mono" value={slug} />
        <TextArea label={<Trans>Description</Trans>} hint={<Trans>What the collection is for. Editors see it above the list.</Trans>} optional maxLength={2000} {...form.field("description")} />
        <IconField value={form.values.icon} error={form.error("icon")} onChange={(icon) => form.set("icon", icon)} />
        <Checkbox label={<Trans>Leave it out of the navigation</Trans>} hint={<Trans>Its entries are still found by search and through references.</Trans>} {...form.box("hidden")} />
      </div>
    </Card>
  );
}

function Lists({ form, collection }: { form: SettingsState; collection: Collection }) {
  const { t } = useLingui();
  const fields = collection.fields ?? [];
  const usual = titleField({ ...collection, titleField: null })?.label;
  const option = (field: ContentField) => (
    <option key={field.slug} value={field.slug}>
      {field.label}
    </option>
  );
  const columns = fields.filter(({ type }) => isAble({ type }, "indexed")).map(choice);
  return (
    <Card title={<Trans>Titles and lists</Trans>}>
      <div className="grid gap-5">
        <SelectField label={<Trans>Title field</Trans>} hint={<Trans>The field that names an entry in lists, references and search.</Trans>} {...form.field("titleField")}>
          <option value="">{usual ? t`Found by itself: ${usual}` : t`None`}</option>
          {fields.filter(({ type }) => isAble({ type }, "text")).map(option)}
        </SelectField>
        <SelectField label={<Trans>Date field</Trans>} hint={<Trans>The field that dates an entry, such as the day of an event.</Trans>} {...form.field("dateField")}>
          <option value="">{t`None`}</option>
          {fields.filter(({ type }) => type === "datetime").map(option)}
        </SelectField>
        <PickerListField
          fieldLabel={<Trans>Columns of the list</Trans>}
          label={t`Add a column`}
          hint={<Trans>Beside the title, four at most. Everybody can choose others for themselves.</Trans>}
          optional
          name="admin.listColumns"
          most={MOST.columns}
          source={knownSource(["columns", collection.slug], columns)}
          value={form.values.admin.listColumns.map((slug) => columns.find(({ id }) => id === slug) ?? { id: slug, label: slug })}
          error={form.error("admin")}
          onChange={(chosen) => form.set("admin.listColumns", chosen.map(({ id }) => id))}
        />
      </div>
    </Card>
  );
}

function choice({ slug, label }: ContentField) {
  return { id: slug, label, hint: slug };
}

function OnTheSite({ form }: { form: SettingsState }) {
  return (
    <Card title={<Trans>On the site</Trans>}>
      <div className="grid gap-5">
        <UrlPattern {...form.field("urlPattern")} />
        <Routable {...form.box("routable")} />
      </div>
    </Card>
  );
}

export function UrlPattern(field: ReturnType<SettingsState["field"]>) {
  const [example, id, locale] = ["/articles/{slug}", "{id}", "{locale}"];
  return (
    <TextField
      label={<Trans>Address pattern</Trans>}
      hint={
        <Trans>
          Where an entry is on the site, such as <code className="font-mono">{example}</code>. <code className="font-mono">{id}</code> and <code className="font-mono">{locale}</code> work as well.
        </Trans>
      }
      optional
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      maxLength={500}
      {...field}
    />
  );
}

export function Routable(box: ReturnType<SettingsState["box"]>) {
  return <Checkbox label={<Trans>Each entry has an address</Trans>} hint={<Trans>It then needs a slug to be published. Turn it off for what has no page of its own, such as quotes.</Trans>} {...box} />;
}

function Comments({ form }: { form: SettingsState }) {
  const { t } = useLingui();
  return (
    <Card title={<Trans>Comments</Trans>}>
      <div className="grid gap-5">
        <Checkbox label={<Trans>Entries take comments</Trans>} {...form.box("commentsEnabled")} />
        {form.values.commentsEnabled && (
          <>
            <SelectField label={<Trans>Wait for a moderator</Trans>} {...form.field("commentsModeration")}>
              <option value="all">{t`All comments`}</option>
              <option value="first_time">{t`The first comment of each person`}</option>
              <option value="none">{t`No comments`}</option>
            </SelectField>
            <TextField
              label={<Trans>Close after days</Trans>}
              hint={<Trans>Counted from the publication; 0 for never.</Trans>}
              inputMode="numeric"
              dir="ltr"
              autoComplete="off"
              {...form.field("commentsClosedAfterDays")}
            />
            <Checkbox label={<Trans>Comments of people who are signed in need no moderator</Trans>} {...form.box("commentsAutoApproveUsers")} />
          </>
        )}
      </div>
    </Card>
  );
}

/** The dates of an entry that an index may end in. */
function useDates() {
  const { t } = useLingui();
  return [
    { id: "updated_at", label: t`Date of the last change` },
    { id: "published_at", label: t`Date of publication` },
  ];
}

function Indexes({ form, fields }: { form: SettingsState; fields: ContentField[] }) {
  const { t } = useLingui();
  const { indexes } = form.values;
  const isMany = ({ options }: ContentField) => options?.allowMultiple === true;
  const options = [...fields.filter((field) => isAble({ type: field.type, isMany: isMany(field) }, "sorted")).map(choice), ...useDates()];
  const set = (indexes: Settings["indexes"]) => form.set("indexes", indexes);
  return (
    <Card
      title={<Trans>Indexes over several fields</Trans>}
      description={<Trans>For lists that are filtered by the first fields and sorted by the last, at any size. New ones are built in the background.</Trans>}
    >
      <div className="grid gap-5">
        {indexes.map(({ fields }, n) => {
          const number = n + 1;
          return (
            // What an index is, is its fields: it has no other key than its place.
            <div key={n} className="flex items-start gap-2">
              <div className="min-w-0 grow">
                <PickerListField
                  fieldLabel={<Trans>Index {number}</Trans>}
                  label={t`Add a field`}
                  name={`indexes.${n}.fields`}
                  most={MOST.fields}
                  source={knownSource(["index", form.values.label], options)}
                  value={fields.map((slug) => options.find(({ id }) => id === slug) ?? { id: slug, label: slug })}
                  error={form.error(`indexes.${n}`)}
                  onChange={(chosen) => set(indexes.with(n, { fields: chosen.map(({ id }) => id) }))}
                />
              </div>
              <IconButton danger label={t`Remove index ${number}`} icon={<Trash2 />} onClick={() => set(indexes.toSpliced(n, 1))} />
            </div>
          );
        })}
        <div>
          <Button size="sm" icon={<Plus />} disabled={indexes.length >= MOST.indexes} onClick={() => set([...indexes, { fields: [] }])}>
            <Trans>Add an index</Trans>
          </Button>
        </div>
      </div>
    </Card>
  );
}
