// Deleting a field or a collection: what hangs on it is said, and its name is typed by whoever means it.

import { Plural, Trans } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { Collection, ContentField } from "~/api/types";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { toast } from "~/components/toast";
import { entryTotal } from "~/content/entries";

import { modelChanged, useChange } from "./change";
import { exported, referrersOf } from "./queries";
import { Refusal, useExplain } from "./Refusal";

function useProblem(collection: Pick<Collection, "slug">) {
  const explain = useExplain();
  return (error: unknown) => {
    const words = explain(error);
    return (
      words && (
        <div className="grid gap-2">
          {words}
          <Refusal error={error} collection={collection} />
        </div>
      )
    );
  };
}

/** How many entries lose something. */
function Loss({ slug, ofField = false }: { slug: string; ofField?: boolean }) {
  const { data } = useQuery(entryTotal(slug, {}));
  const count = data?.total;
  if (count === undefined) return null;
  if (count === 0) {
    return (
      <li>
        <Trans>There are no entries outside of the trash.</Trans>
      </li>
    );
  }
  return (
    <li>
      {ofField ? (
        <Plural value={count} one="# entry loses its value in this field, if it has one." other="# entries lose their value in this field, if they have one." />
      ) : (
        <Plural value={count} one="# entry is deleted for good, with its history." other="# entries are deleted for good, with their history." />
      )}
    </li>
  );
}

const LIST = "mb-4 grid list-disc gap-1 ps-5";

export function DeleteField({ collection, field, onClose, onDeleted }: { collection: Collection; field: ContentField; onClose: () => void; onDeleted: () => void }) {
  const send = useChange();
  const { label, slug } = field;
  const isNamed = [collection.titleField, collection.dateField].includes(slug) || (collection.admin?.listColumns ?? []).includes(slug);
  const composites = collection.indexes.filter(({ fields }) => fields.includes(slug)).length;
  const dependent = (collection.fields ?? []).filter(({ options }) => (options?.condition as { field?: unknown } | undefined)?.field === slug).map(({ label }) => label);
  const dependents = dependent.join(", ");
  return (
    <ConfirmDialog
      open
      danger
      onOpenChange={onClose}
      title={<Trans>Delete the field “{label}”?</Trans>}
      description={<Trans>This cannot be undone.</Trans>}
      confirm={<Trans>Delete field</Trans>}
      typed={slug}
      explain={useProblem(collection)}
      onConfirm={async () => {
        await send({
          collection,
          of: ({ fields }) => fields?.find((other) => other.slug === slug)?.type,
          send: (_rev) => answer(api.DELETE("/schema/collections/{collection}/fields/{fieldSlug}", { params: { path: { collection: collection.slug, fieldSlug: slug }, query: { _rev } } })),
        });
        toast.good(<Trans>The field “{label}” is deleted.</Trans>);
        onDeleted();
      }}
    >
      <ul className={LIST}>
        <Loss slug={collection.slug} ofField />
        {isNamed && (
          <li>
            <Trans>It is the title, the date or a column of the list, and no longer will be.</Trans>
          </li>
        )}
        {composites > 0 && (
          <li>
            <Plural value={composites} one="# index over several fields goes with it." other="# indexes over several fields go with it." />
          </li>
        )}
        {dependent.length > 0 && (
          <li>
            <Trans>These fields are shown depending on it: {dependents}.</Trans>
          </li>
        )}
      </ul>
    </ConfirmDialog>
  );
}

export function DeleteCollection({ collection, onClose, onDeleted }: { collection: Collection; onClose: () => void; onDeleted?: () => void }) {
  const queries = useQueryClient();
  const { label, slug, _rev } = collection;
  const { data: all } = useQuery(exported);
  const referrers = referrersOf(slug, all ?? []);
  return (
    <ConfirmDialog
      open
      danger
      onOpenChange={onClose}
      title={<Trans>Delete the collection “{label}”?</Trans>}
      description={<Trans>This cannot be undone.</Trans>}
      confirm={<Trans>Delete collection</Trans>}
      typed={slug}
      explain={useProblem(collection)}
      onConfirm={async () => {
        await answer(api.DELETE("/schema/collections/{slug}", { params: { path: { slug }, query: { force: true, _rev } } }));
        onDeleted?.();
        await modelChanged(queries);
        toast.good(<Trans>The collection “{label}” is deleted.</Trans>);
      }}
    >
      <ul className={LIST}>
        <Loss slug={slug} />
        <li>
          <Trans>Entries in the trash and saved views go with it.</Trans>
        </li>
        {referrers.map(({ collection, field }) => {
          const [where, what] = [collection.label, field.label];
          return (
            <li key={`${collection.slug}.${field.slug}`}>
              <Trans>
                The field “{what}” of {where} refers to it: those references are taken out.
              </Trans>
            </li>
          );
        })}
      </ul>
    </ConfirmDialog>
  );
}
