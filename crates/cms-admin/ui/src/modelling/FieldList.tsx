// The fields of a collection, in the order in which editors see them.

import { Trans, useLingui } from "@lingui/react/macro";
import { CopyPlus, Ellipsis, Pencil, Trash2 } from "lucide-react";

import { answer, api } from "~/api/client";
import type { Collection, ContentField } from "~/api/types";
import { Badge } from "~/components/Badge";
import { IconButton } from "~/components/Button";
import { Menu, MenuItem, MenuSeparator } from "~/components/Menu";
import { SortableList } from "~/components/sortable/SortableList";
import { titleField } from "~/content/titleField";
import { cx } from "~/lib/cx";

import { useChange } from "./change";
import { typeWords } from "./fieldTypes";
import { useOrder } from "./useOrder";

interface FieldListProps {
  collection: Collection;
  /** The field that is open at the side. */
  current: string | undefined;
  onOpen: (field: ContentField) => void;
  onDuplicate: (field: ContentField) => void;
  onDelete: (field: ContentField) => void;
}

export function FieldList({ collection, current, onOpen, onDuplicate, onDelete }: FieldListProps) {
  const { t } = useLingui();
  const send = useChange();
  const { slug } = collection;
  const { shown, move } = useOrder(collection.fields ?? [], (fieldSlugs) =>
    send({
      collection,
      of: ({ fields }) => fields?.map(({ slug }) => slug),
      send: (_rev) => answer(api.POST("/schema/collections/{collection}/fields/reorder", { params: { path: { collection: slug } }, body: { fieldSlugs, _rev } })),
    }),
  );
  const title = titleField(collection)?.slug;
  return (
    <SortableList label={t`Fields`} items={shown} itemKey={({ id }) => id} itemName={({ label }) => label} onMove={move}>
      {(field) => {
        const { label } = field;
        return (
          <div className="flex min-w-0 items-center gap-1">
            <FieldRow field={field} isTitle={field.slug === title} isOpen={field.slug === current} onOpen={() => onOpen(field)} />
            <Menu trigger={<IconButton size="sm" label={t`Actions for ${label}`} icon={<Ellipsis />} />}>
              <MenuItem icon={<Pencil />} onSelect={() => onOpen(field)}>
                <Trans>Edit</Trans>
              </MenuItem>
              <MenuItem icon={<CopyPlus />} onSelect={() => onDuplicate(field)}>
                <Trans>Duplicate</Trans>
              </MenuItem>
              <MenuSeparator />
              <MenuItem danger icon={<Trash2 />} onSelect={() => onDelete(field)}>
                <Trans>Delete…</Trans>
              </MenuItem>
            </Menu>
          </div>
        );
      }}
    </SortableList>
  );
}

function FieldRow({ field, isTitle, isOpen, onOpen }: { field: ContentField; isTitle: boolean; isOpen: boolean; onOpen: () => void }) {
  const { i18n } = useLingui();
  const { label, slug, type, options } = field;
  const { icon: Icon, name } = typeWords(type);
  const place = [options?.tab, options?.group].filter((part) => typeof part === "string" && part !== "").join(" · ");
  return (
    <button type="button" aria-pressed={isOpen} onClick={onOpen} className={cx("flex min-w-0 grow items-center gap-3 rounded-md px-2 py-1.5 text-start hover:bg-hover", isOpen && "bg-active")}>
      <Icon aria-hidden className="size-4 shrink-0 text-accent-ink" />
      <span className="grid min-w-0 grow gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="min-w-0 font-medium break-words">{label}</bdi>
          <Badges field={field} isTitle={isTitle} />
        </span>
        <span className="min-w-0 text-sm break-words text-muted">
          {i18n._(name)} ·{" "}
          <bdi>
            <code className="font-mono text-xs">{slug}</code>
          </bdi>
          {place && (
            <>
              {" "}
              · <bdi>{place}</bdi>
            </>
          )}
        </span>
      </span>
    </button>
  );
}

function Badges({ field, isTitle }: { field: ContentField; isTitle: boolean }) {
  const { required, unique, uniqueState, indexed, index, searchable, translatable } = field;
  return (
    <>
      {isTitle && (
        <Badge tone="accent">
          <Trans>Names the entry</Trans>
        </Badge>
      )}
      {required && (
        <Badge>
          <Trans>Required</Trans>
        </Badge>
      )}
      {unique && <Badge tone={uniqueState === "building" ? "warn" : "neutral"}>{uniqueState === "building" ? <Trans>Unique, being checked</Trans> : <Trans>Unique</Trans>}</Badge>}
      {indexed && <Badge tone={index?.state === "building" ? "warn" : "neutral"}>{index?.state === "building" ? <Trans>Index under way</Trans> : <Trans>Filters lists</Trans>}</Badge>}
      {searchable && (
        <Badge>
          <Trans>Searched</Trans>
        </Badge>
      )}
      {!translatable && (
        <Badge>
          <Trans>Same in all languages</Trans>
        </Badge>
      )}
    </>
  );
}
