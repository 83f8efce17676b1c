// Other entries that an entry refers to.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, ExternalLink, X } from "lucide-react";
import { useState } from "react";

import { IconButton } from "~/components/Button";
import { Select } from "~/components/Field";
import { home } from "~/lib/site";

import { choices, collections, type Choice } from "./references";
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
  const { t } = useLingui();
  const isMany = field.options.allowMultiple === true;
  const ids = (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(textOf);
  const { data = [] } = useQuery({ ...choices(collection ?? ""), enabled: collection !== undefined });
  const known = new Map(data.map((choice) => [choice.id, choice]));
  const set = (next: string[]) => onChange(next.length === 0 ? null : isMany ? next : (next.at(-1) ?? null));
  const { maxItems } = field.validation;
  const isFull = isMany && typeof maxItems === "number" && ids.length >= maxItems;
  const nameOf = (id: string) => known.get(id)?.label ?? id;

  function move(at: number, by: number) {
    const next = [...ids];
    const [id] = next.splice(at, 1);
    if (id !== undefined) next.splice(at + by, 0, id);
    set(next);
  }

  return (
    <>
      {ids.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line bg-surface">
          {ids.map((one, n) => (
            <li key={one} className="flex items-center gap-1 py-1 ps-3 pe-1.5">
              <span className="min-w-0 grow truncate" dir="auto">
                {nameOf(one)}
              </span>
              {collection && (
                <a
                  href={`${home}/content/${collection}/${one}`}
                  target="_blank"
                  rel="noopener"
                  aria-label={t`Open ${nameOf(one)} in a new tab`}
                  title={t`Open in a new tab`}
                  className="inline-grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11"
                >
                  <ExternalLink aria-hidden className="size-4" />
                </a>
              )}
              {isMany && !readOnly && (
                <>
                  <IconButton size="sm" label={t`Move ${nameOf(one)} up`} icon={<ArrowUp />} disabled={n === 0} onClick={() => move(n, -1)} />
                  <IconButton size="sm" label={t`Move ${nameOf(one)} down`} icon={<ArrowDown />} disabled={n === ids.length - 1} onClick={() => move(n, 1)} />
                </>
              )}
              {!readOnly && <IconButton size="sm" label={t`Remove ${nameOf(one)}`} icon={<X />} onClick={() => set(ids.filter((other) => other !== one))} />}
            </li>
          ))}
        </ul>
      )}
      {!readOnly && collection && !isFull && (
        <Select
          id={id}
          className="sm:max-w-80"
          aria-label={field.label}
          aria-describedby={describedBy}
          aria-invalid={isInvalid || undefined}
          value=""
          onChange={(event) => event.target.value && set([...(isMany ? ids : []), event.target.value])}
        >
          <option value="">{isMany ? t`Add an entry` : ids.length > 0 ? t`Choose another entry` : t`Choose an entry`}</option>
          {data
            .filter((choice: Choice) => !ids.includes(choice.id))
            .map((choice) => (
              <option key={choice.id} value={choice.id}>
                {choice.label}
              </option>
            ))}
        </Select>
      )}
      {!collection && readOnly && ids.length === 0 && (
        <p className="text-muted">
          <Trans>Nothing chosen</Trans>
        </p>
      )}
    </>
  );
}
