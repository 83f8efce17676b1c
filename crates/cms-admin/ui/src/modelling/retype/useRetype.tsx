// Changes the type of a field, and takes it back. Neither overwrites what somebody else did meanwhile.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import { isCode } from "~/api/errors";
import type { ContentField } from "~/api/types";
import { toast } from "~/components/toast";
import { entriesChanged } from "~/content/entries";

import { OVERTAKEN, useChange } from "../change";
import type { FieldChange } from "../draft";
import { useExplain } from "../Refusal";
import { formOf, undoBody, type Place } from "./retyped";
import { useFormName } from "./useFormName";

export function useRetype(): (place: Place, change: FieldChange) => Promise<void> {
  const { t } = useLingui();
  const send = useChange();
  const explain = useExplain();
  const queries = useQueryClient();
  const nameOf = useFormName();

  /** Sends a change, and answers with the field as it is then. */
  async function put({ collection, field }: Place, change: FieldChange): Promise<ContentField> {
    let after = field;
    const path = { collection: collection.slug, fieldSlug: field.slug };
    const write = async (_rev: string) => {
      after = (await answer(api.PUT("/schema/collections/{collection}/fields/{fieldSlug}", { params: { path }, body: { ...change, _rev } }))).item;
    };
    await send({ collection, of: ({ fields }) => typed(fields?.find(({ id }) => id === field.id)), send: write });
    void entriesChanged(queries, collection.slug);
    return after;
  }

  async function back({ collection, field: before }: Place, after: ContentField, convert: boolean) {
    const known = { ...collection, _rev: after._rev, fields: (collection.fields ?? []).map((field) => (field.id === after.id ? after : field)) };
    const { label } = before;
    const type = nameOf(formOf(before));
    try {
      await put({ collection: known, field: after }, { ...undoBody(before, after), ...(convert ? { convert } : {}) });
      toast.good(<Trans>The type of “{label}” is {type} again.</Trans>);
    } catch (error) {
      if (isCode(error, OVERTAKEN)) {
        const { who } = error.details as { who?: string };
        toast.bad(who ? t`${who} changed the field “${label}” in the meantime, so its type stays.` : t`Somebody changed the field “${label}” in the meantime, so its type stays.`);
      } else if (isCode(error, "FIELD_HAS_VALUES")) {
        toast.bad(t`The type of “${label}” stays: values that were entered since do not fit the former one. “Change type” shows which.`);
      } else toast.bad(explain(error) ?? error);
    }
  }

  return async (place, change) => {
    const after = await put(place, change);
    const { label } = after;
    const type = nameOf(formOf(after));
    toast.undo(<Trans>The type of “{label}” is {type} now.</Trans>, () => void back(place, after, change.convert === true));
  };
}

/** What of a field goes with its type: what of it somebody else changed is not written over. */
function typed(field: ContentField | undefined) {
  if (!field) return undefined;
  const { slug, type, unique, indexed, searchable, defaultValue, validation, options } = field;
  return { slug, type, unique, indexed, searchable, defaultValue, validation, options };
}
