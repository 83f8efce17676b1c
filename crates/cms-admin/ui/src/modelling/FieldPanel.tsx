// A field at the side: first its type, then all else. What is typed is not lost by closing it or by somebody else's change.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";

import { answer, api } from "~/api/client";
import type { Collection, ContentField } from "~/api/types";
import { Button } from "~/components/Button";
import { SidePanel } from "~/components/panel/SidePanel";
import { toast } from "~/components/toast";
import { entryTotal } from "~/content/entries";
import { Form } from "~/forms/Form";
import { LeaveDialog } from "~/forms/LeaveDialog";
import { useForm } from "~/forms/useForm";

import { modelChanged, useChange } from "./change";
import { changesOf, draftOf, fieldOf, newDraft, newFieldBody, notNumbers, type Draft } from "./draft";
import { FieldForm } from "./FieldForm";
import { typeWords, type FieldType } from "./fieldTypes";
import { RESERVED } from "./identifier";
import { Preview } from "./Preview";
import { atSlug, Refusal, useExplain } from "./Refusal";
import { FormerTypes } from "./retype/FormerTypes";
import { RetypeDialog } from "./retype/RetypeDialog";
import { workOn, type Work } from "./retype/retyped";
import { useFormName } from "./retype/useFormName";
import { TypeGrid } from "./TypeGrid";
import { useSlug } from "./useSlug";

/** What is open at the side. */
export type Opened = { field: ContentField } | { field: undefined; draft?: Draft };

interface FieldPanelProps {
  collection: Collection;
  opened: Opened;
  onClose: () => void;
  /** Told whether closing it would lose something. */
  onDirty: (isDirty: boolean) => void;
}

/** How wide it is at first, in rem: types stand in two columns. */
const WIDTH = 27;

/** A field that is there, or a new one whose type is asked for first. */
export function FieldPanel({ collection, opened, onClose, onDirty }: FieldPanelProps) {
  const { t } = useLingui();
  const [draft, setDraft] = useState<Draft | undefined>(() => (opened.field ? draftOf(opened.field) : opened.draft));
  const [round, setRound] = useState(0);
  if (draft) {
    const again = () => {
      setDraft(undefined);
      setRound(round + 1);
    };
    return <Details key={round} {...{ collection, draft, onClose, onDirty }} field={opened.field} onAnother={again} />;
  }
  return (
    <SidePanel open onOpenChange={onClose} title={t`New field`} widthKey="field" usualWidth={WIDTH}>
      <div className="grid gap-3 p-4">
        <h3 className="font-medium">
          <Trans>What should it hold?</Trans>
        </h3>
        <TypeGrid onChoose={(type) => setDraft(newDraft(type))} />
      </div>
    </SidePanel>
  );
}

interface DetailsProps extends Omit<FieldPanelProps, "opened"> {
  field: ContentField | undefined;
  draft: Draft;
  /** Begins with another new field. */
  onAnother: () => void;
}

function Details({ collection, field, draft, onClose, onDirty, onAnother }: DetailsProps) {
  const { t, i18n } = useLingui();
  const send = useChange();
  const queries = useQueryClient();
  // The press that sends decides, and is drawn after that.
  const isAnother = useRef(false);
  const [isAnotherShown, setAnotherShown] = useState(false);
  const isDefaultRead = useRef(true);
  const [isChoosing, setChoosing] = useState(false);
  const [retyping, setRetyping] = useState<{ work?: Work | undefined }>();
  const [isLeaving, setLeaving] = useState(false);
  const siblings = (collection.fields ?? []).filter(({ slug }) => slug !== field?.slug);
  const slug = useSlug([...siblings.map(({ slug }) => slug), ...RESERVED.field], field !== undefined);
  // Of a field that is there, what nobody touched follows the server.
  const [begun] = useState(draft);
  const [last, setLast] = useState({ field, values: begun });
  if (last.field !== field && field) setLast({ field, values: draftOf(field) });
  const entries = useQuery(entryTotal(collection.slug, {})).data?.total;

  const form = useForm<Draft>({
    values: last.values,
    explain: useExplain(),
    check: (draft) => ({ ...notNumbers(draft, t`Enter a number.`), ...(isDefaultRead.current ? {} : { defaultValue: t`This cannot be read as a value yet.` }) }),
    submit: async (draft) => {
      if (field) await change(draft);
      else await create(draft);
    },
  });
  const { isDirty, values, lastError } = form;
  const tell = useEffectEvent(onDirty);
  useEffect(() => {
    tell(isDirty);
    return () => tell(false);
  }, [isDirty]);

  async function create(draft: Draft) {
    const { label } = draft;
    await send({
      collection,
      // A new field is in nobody's way.
      of: () => undefined,
      send: () => answer(api.POST("/schema/collections/{collection}/fields", { params: { path: { collection: collection.slug } }, body: newFieldBody(draft, siblings) })).catch(atSlug),
    });
    toast.good(<Trans>The field “{label}” is added.</Trans>);
    if (isAnother.current) onAnother();
    else onClose();
  }

  async function change(draft: Draft) {
    if (!field) return;
    const { label, slug } = draft;
    const of = ({ fields }: Collection) => settled(fields?.find(({ id }) => id === field.id));
    let now = field;
    if (slug !== field.slug) {
      await send({ collection, of, send: (_rev) => renamed(field.slug, slug, _rev).then((item) => (now = item)) });
    }
    const changes = changesOf(field, draft, siblings);
    if (Object.keys(changes).length > 0) {
      const path = { collection: collection.slug, fieldSlug: now.slug };
      const known = { ...collection, _rev: now._rev, fields: [...siblings, now] };
      await send({ collection: known, of, send: (_rev) => answer(api.PUT("/schema/collections/{collection}/fields/{fieldSlug}", { params: { path }, body: { ...changes, _rev } })) });
    }
    if (now === field) toast.good(<Trans>The field “{label}” is saved.</Trans>);
    else toast.undo(<Trans>The field is called “{slug}” now.</Trans>, () => void back(slug, field.slug));
    onClose();
  }

  /** The field by its new name. */
  function renamed(from: string, to: string, _rev?: string): Promise<ContentField> {
    const path = { collection: collection.slug, fieldSlug: from };
    return answer(api.POST("/schema/collections/{collection}/fields/{fieldSlug}/rename", { params: { path }, body: { slug: to, ...(_rev && { _rev }) } }))
      .then(({ item }) => item)
      .catch(atSlug);
  }

  async function back(from: string, to: string) {
    try {
      await renamed(from, to);
      await modelChanged(queries);
      toast.good(<Trans>The field is called “{to}” again.</Trans>);
    } catch (error) {
      toast.bad(error);
    }
  }

  function decide(another: boolean) {
    isAnother.current = another;
    setAnotherShown(another);
  }

  /** Another type for a field that is not there yet. */
  function choose(type: FieldType) {
    setChoosing(false);
    if (type === values.type) return;
    form.set("type", type);
    form.set("defaultValue", null);
    if (type === "repeater" && values.validation.subFields.length === 0) form.set("validation.subFields", newDraft("repeater").validation.subFields);
  }

  const nameOf = useFormName();
  const close = () => (isDirty ? setLeaving(true) : onClose());
  const name = field?.label ?? "";
  const type = typeWords(values.type);
  const Icon = type.icon;
  const whole = fieldOf(values, siblings, field);
  // Alone, it depends on nothing and is in nothing.
  const shown = { ...whole, id: "draft", options: { ...whole.options, condition: undefined, group: undefined, tab: undefined, width: undefined } } as unknown as ContentField;
  return (
    <SidePanel open onOpenChange={close} title={field ? t`Field “${name}”` : t`New field`} widthKey="field" usualWidth={WIDTH}>
      <LeaveDialog blocker={{ status: isLeaving ? "blocked" : "idle", proceed: onClose, reset: () => setLeaving(false) }} />
      <div className="grid gap-4 p-4">
        <div className="flex flex-wrap items-center gap-2.5">
          <Icon aria-hidden className="size-4 shrink-0 text-accent-ink" />
          <span className="min-w-0 grow">
            <span className="block font-medium">{nameOf({ type: values.type, allowMultiple: field ? values.options.allowMultiple : false })}</span>
            <span className="block text-sm text-muted">{i18n._(type.about)}</span>
          </span>
          {field ? (
            <Button size="sm" onClick={() => setRetyping({})}>
              <Trans>Change type…</Trans>
            </Button>
          ) : (
            <Button size="sm" aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)}>
              <Trans>Change type</Trans>
            </Button>
          )}
        </div>
        {isChoosing && <TypeGrid value={values.type} onChoose={choose} />}
        {field && <FormerTypes field={field} onBack={(form) => setRetyping({ work: workOn({ collection, field }, form) })} />}
        {field && retyping && (
          <RetypeDialog
            {...{ collection, field }}
            work={retyping.work}
            onWork={(change) => setRetyping((now) => now && { work: change(now.work) })}
            onClose={() => setRetyping(undefined)}
          />
        )}
        <section aria-label={t`Preview`} className="rounded-md border border-dashed border-line-strong bg-canvas p-3">
          <Preview fields={[shown]} />
        </section>
        <Form form={form} guarded className="gap-4">
          <Refusal error={lastError} collection={collection} />
          <FieldForm {...{ form, collection, field, slug, entries }} onDefaultRead={(isRead) => (isDefaultRead.current = isRead)} />
          <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap justify-end gap-2 border-t border-line bg-sunken px-4 py-3">
            {!field && (
              <Button type="submit" pending={form.isSending && isAnotherShown} onClick={() => decide(true)}>
                <Trans>Add and start another</Trans>
              </Button>
            )}
            <Button type="submit" variant="primary" pending={form.isSending && !isAnotherShown} disabled={field !== undefined && !isDirty} onClick={() => decide(false)}>
              {field ? <Trans>Save field</Trans> : <Trans>Add field</Trans>}
            </Button>
          </div>
        </Form>
      </div>
    </SidePanel>
  );
}

/** What of a field somebody else's change can be in the way of: not where it stands, nor how far the server is with it. */
function settled(field: ContentField | undefined) {
  return field && draftOf(field);
}
