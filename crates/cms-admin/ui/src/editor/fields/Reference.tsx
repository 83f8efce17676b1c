// Other entries that an entry refers to: one, or several in an order. One that is not there yet is made in place.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronsUpDown, ExternalLink, X } from "lucide-react";
import { useState } from "react";

import { isCode } from "~/api/errors";
import { Badge } from "~/components/Badge";
import { Button, IconButton } from "~/components/Button";
import { Select } from "~/components/Field";
import { Notice } from "~/components/Notice";
import { Picker } from "~/components/picker/Picker";
import { SortableList } from "~/components/sortable/SortableList";
import { collections } from "~/content/collections";
import { entrySource, optionOf } from "~/content/entrySource";
import { STATUSES } from "~/content/status";
import { home } from "~/lib/site";

import { model } from "../queries";
import { NewReferenceState, useNewReference } from "./NewReference";
import { referred } from "./references";
import type { ControlProps } from "./shape";
import { textOf } from "./Text";

export function ReferenceControl(props: ControlProps) {
  const { options } = props.field;
  const isFixed = typeof options.collection === "string";
  const [chosen, setChosen] = useState<string>();
  const collection = isFixed ? (options.collection as string) : chosen;
  return (
    <div className="grid gap-2">
      {!isFixed && !props.readOnly && <CollectionChoice value={chosen} onChange={setChosen} />}
      <Chosen {...props} collection={collection} />
    </div>
  );
}

function CollectionChoice({ value, onChange }: { value: string | undefined; onChange: (value: string) => void }) {
  const { t } = useLingui();
  const { data = [] } = useQuery(collections);
  return (
    <Select className="sm:max-w-80" aria-label={t`Collection to choose from`} value={value ?? ""} onChange={(event) => onChange(event.target.value)}>
      <option value="">{t`Choose a collection`}</option>
      {data.map(({ slug, label }) => (
        <option key={slug} value={slug}>
          {label}
        </option>
      ))}
    </Select>
  );
}

function Chosen({ field, id, value, onChange, describedBy, isInvalid, readOnly, collection }: ControlProps & { collection: string | undefined }) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const isMany = field.options.allowMultiple === true;
  const ids = (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(textOf);
  const known = useQueries({ queries: ids.map((one) => ({ ...referred(collection ?? "", one), enabled: collection !== undefined })) });
  const { data: target, error } = useQuery({ ...model(collection ?? ""), enabled: collection !== undefined });
  // Whoever deleted the collection left what refers to it as it was.
  const isGone = isCode(error, "COLLECTION_NOT_FOUND");
  const { maxItems } = field.validation;
  const isFull = isMany && typeof maxItems === "number" && ids.length >= maxItems;
  const set = (next: string[]) => onChange(next.length === 0 ? null : isMany ? next : (next.at(-1) ?? null));
  const nameOf = (one: string) => known[ids.indexOf(one)]?.data?.label ?? one;
  const { make, making } = useNewReference(target, (item) => {
    if (target) queries.setQueryData(referred(item.type, item.id).queryKey, optionOf(target.collection, item));
    set([...ids, item.id]);
  });
  const label = isMany ? t`Add an entry` : ids.length > 0 ? t`Choose another entry` : t`Choose an entry`;

  /** How an entry stands that is not on the site; none where it is, or nobody knows. */
  const waiting = (one: string) => {
    const status = known[ids.indexOf(one)]?.data?.status;
    return status && status !== "published" && <Badge>{i18n._(STATUSES[status].label)}</Badge>;
  };

  const row = (one: string) => (
    <span className="flex min-w-0 items-center gap-1">
      <span className="flex min-w-0 grow items-center gap-2">
        <bdi className="min-w-0 truncate">{nameOf(one)}</bdi>
        {waiting(one)}
      </span>
      {collection && !isGone && (
        <a
          href={`${home}/content/${collection}/${one}`}
          target="_blank"
          rel="noopener"
          aria-label={t`Open ${nameOf(one)} in a new tab`}
          title={t`Open in a new tab`}
          className="inline-grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11"
        >
          <ExternalLink aria-hidden className="size-4" />
        </a>
      )}
      {!readOnly && <IconButton size="sm" label={t`Remove ${nameOf(one)}`} icon={<X />} onClick={() => set(ids.filter((other) => other !== one))} />}
    </span>
  );

  return (
    <>
      {ids.length > 0 &&
        (isMany ? (
          <SortableList label={field.label} items={ids} itemKey={(one) => one} itemName={nameOf} onMove={set} disabled={readOnly} className="gap-1.5">
            {row}
          </SortableList>
        ) : (
          <div className="rounded-md border border-line bg-surface py-1 ps-3 pe-1.5">{ids.map((one) => <div key={one}>{row(one)}</div>)}</div>
        ))}
      {isGone && (
        <Notice tone="warn">
          <Trans>
            This refers to the collection <code className="font-mono">{collection}</code>, which does not exist any more.
          </Trans>
        </Notice>
      )}
      {!readOnly && collection && !isGone && !isFull && (
        <div>
          <Picker
            label={label}
            source={entrySource(target?.collection)}
            chosen={ids}
            multiple={isMany}
            onChoose={(option, isChosen) => set(isChosen ? [...(isMany ? ids : []), option.id] : ids.filter((other) => other !== option.id))}
            recentKey={`entries/${collection}`}
            make={make}
            trigger={
              <Button id={id} size="sm" icon={<ChevronsUpDown />} aria-describedby={describedBy} aria-invalid={isInvalid || undefined}>
                {label}
              </Button>
            }
          />
        </div>
      )}
      {!readOnly && <NewReferenceState making={making} ids={ids} />}
      {ids.length === 0 && readOnly && (
        <p className="text-muted">
          <Trans>Nothing chosen</Trans>
        </p>
      )}
    </>
  );
}
