// The field as it would be: what the new type needs, what becomes of the values, and the change itself.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";

import { isCode } from "~/api/errors";
import type { ContentField } from "~/api/types";
import { Button } from "~/components/Button";
import { DialogActions } from "~/components/Dialog";
import { Notice } from "~/components/Notice";
import { toast } from "~/components/toast";
import { collection as collectionQuery } from "~/content/collections";
import { entryTotal } from "~/content/entries";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { isSame } from "~/lib/same";

import { OVERTAKEN } from "../change";
import { fieldOf, type Draft } from "../draft";
import { Options, Target } from "../FieldForm";
import { rulesOf, typeWords } from "../fieldTypes";
import { Refusal, useExplain } from "../Refusal";
import { SubFields } from "../SubFields";
import { Forecast } from "./Forecast";
import { InTheWay, LostParts } from "./Lost";
import { formOf, isComplete, losesNames, lostBy, obstacles, rebased, retypeBody, type Place } from "./retyped";
import { useCheck, type Question } from "./useCheck";
import { useFormName } from "./useFormName";
import { useRetype } from "./useRetype";

interface RetypingProps {
  place: Place;
  /** What it begins with. */
  draft: Draft;
  /** Chooses another type. */
  onOther: () => void;
  /** Begins again, with what the field is by now. */
  onAgain: (place: Place, draft: Draft) => void;
  /** Told what was said so far, when this goes from the screen. */
  onKeep: (draft: Draft) => void;
  /** Told while the change is under way. */
  onSending: (isSending: boolean) => void;
  onDone: () => void;
}

export function Retyping({ place, draft: begun, onOther, onAgain, onKeep, onSending, onDone }: RetypingProps) {
  const { t, i18n } = useLingui();
  const { collection, field } = place;
  const nameOf = useFormName();
  const retype = useRetype();
  const queries = useQueryClient();
  const explainAny = useExplain();
  const siblings = (collection.fields ?? []).filter(({ id }) => id !== field.id);
  const total = useQuery(entryTotal(collection.slug, {})).data;
  // Values may stay as they are and still break a rule that counts where they are not converted.
  const [mustConvert, setMustConvert] = useState(false);

  const form = useForm<Draft>({
    values: begun,
    explain,
    submit: async (draft) => {
      onSending(true);
      try {
        await retype(place, { ...retypeBody(field, draft, siblings), ...(converts ? { convert: true } : {}) });
        onDone();
      } catch (error) {
        setMustConvert(mustConvert || isCode(error, "FIELD_HAS_VALUES"));
        throw error;
      } finally {
        onSending(false);
      }
    },
  });
  const { values: draft, lastError } = form;
  const now = { type: draft.type, allowMultiple: draft.type === "reference" && draft.options.allowMultiple };
  const isOther = !isSame(now, formOf(field));
  const inTheWay = obstacles(collection, field.slug, now);
  const question = isOther && inTheWay.length === 0 && isComplete(draft) ? questionOf(draft, siblings, field) : undefined;
  const check = useCheck(collection.slug, field.slug, question);
  const converts = mustConvert || check.phase !== "done" || check.outcome.needsConvert;
  const isReady = question !== undefined && check.phase !== "looking";

  function explain(error: unknown): string | undefined {
    if (isCode(error, OVERTAKEN)) {
      const { who } = error.details as { who?: string };
      return who ? t`Nothing was changed: ${who} changed this field in the meantime.` : t`Nothing was changed: somebody changed this field in the meantime.`;
    }
    if (isCode(error, "FIELD_HAS_VALUES", "UNIQUE_CONFLICT")) {
      if (!converts) return t`Nothing was changed: some values break rules of the new type. They can stay until their entries are next saved.`;
      if (draft.type === "reference") return t`Nothing was changed: values would refer to entries that do not exist. Correct them, or choose another type.`;
      if (draft.unique) return t`Nothing was changed: some entries would have the same value, and the field is unique. Change those values, or turn off “Unique” first.`;
    }
    return explainAny(error);
  }

  async function lookAgain() {
    try {
      const fresh = await queries.query({ ...collectionQuery(collection.slug), staleTime: 0 });
      const there = fresh.fields?.find(({ id }) => id === field.id);
      if (there) onAgain({ collection: fresh, field: there }, rebased(draft, there));
      else toast.bad(t`Somebody deleted this field in the meantime.`);
    } catch (error) {
      toast.bad(explainAny(error) ?? error);
    }
  }

  const leave = useEffectEvent(() => onKeep(draft));
  useEffect(() => () => leave(), []);

  const top = useRef<HTMLDivElement>(null);
  // Whoever chose the type with the keyboard goes on from here.
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  const { type } = now;
  const Icon = typeWords(type).icon;
  const [from, to] = [nameOf(formOf(field)), nameOf(now)];
  const name = field.label;
  return (
    <Form form={form} className="gap-5">
      <div ref={top} tabIndex={-1} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-sm">
        <p className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="text-muted">{from}</span>
          <ArrowRight role="img" aria-label={t`becomes`} className="size-4 text-muted rtl:-scale-x-100" />
          <Icon aria-hidden className="size-4 shrink-0 text-accent-ink" />
          <span className="font-medium">{to}</span>
        </p>
        <Button size="sm" onClick={onOther}>
          <Trans>Other type</Trans>
        </Button>
        <p className="w-full text-sm text-muted">{i18n._(typeWords(type).about)}</p>
      </div>
      <Refusal error={lastError} collection={collection} />
      {isCode(lastError, OVERTAKEN, "FIELD_HAS_VALUES", "UNIQUE_CONFLICT", "FIELD_NOT_FOUND", "CONFLICT") && (
        <div>
          <Button size="sm" onClick={() => void lookAgain()}>
            <Trans>Look again</Trans>
          </Button>
        </div>
      )}
      {inTheWay.length > 0 && <InTheWay obstacles={inTheWay} collection={collection.slug} />}
      {form.error("type") && inTheWay.length === 0 && (
        <Notice tone="bad">
          <Trans>The collection needs another type here: the field is its title, its date, a column of its list or part of an index.</Trans>
        </Notice>
      )}
      {type === "reference" && <Target form={form} own={collection} hasNumber />}
      {rulesOf({ type }).includes("options") && <Options form={form} />}
      {type === "repeater" && <SubFields form={form} field={field.type === "repeater" ? field : undefined} />}
      {losesNames(collection, field.slug, now) && (
        <Notice tone="warn">
          <Trans>This field names the entries. With the new type they have no name until another text field becomes their title.</Trans>
        </Notice>
      )}
      <LostParts lost={lostBy(field, draft, siblings)} />
      {question ? (
        <Forecast collection={collection.slug} check={check} total={total} />
      ) : (
        inTheWay.length === 0 && (
          <p className="text-sm text-muted">
            {isOther ? <Trans>Fill in what the new type needs to see what would become of the values.</Trans> : <Trans>The field “{name}” has this type already.</Trans>}
          </p>
        )
      )}
      <DialogActions>
        <Button disabled={form.isSending} onClick={onDone}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" variant="primary" pending={form.isSending} disabled={!isReady}>
          {check.phase === "stopped" || check.phase === "failed" || mustConvert ? <Trans>Change type anyway</Trans> : <Trans>Change type</Trans>}
        </Button>
      </DialogActions>
    </Form>
  );
}

/** What is asked: only what values become others by, and what the type has to allow. Rules that they break hold from the next time that they are saved. */
function questionOf(draft: Draft, siblings: readonly ContentField[], field: ContentField): Question {
  const { type, validation, options, defaultValue, unique, searchable, indexed } = fieldOf(draft, siblings, field);
  return {
    type,
    ...{ defaultValue, unique, searchable, indexed },
    ...(type === "repeater" ? { validation: { subFields: validation.subFields ?? [] } } : {}),
    ...(type === "reference" ? { options: { ...(draft.options.allowMultiple ? { allowMultiple: true } : {}), ...(options.collection === undefined ? {} : { collection: options.collection }) } } : {}),
  };
}
