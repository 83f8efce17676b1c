// The collections of the site, in the order of the navigation.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Blocks, Ellipsis, FileJson, List, Network, Plus, Settings2, Trash2 } from "lucide-react";
import { createElement, useState } from "react";

import { answer, api } from "~/api/client";
import type { Collection } from "~/api/types";
import { Badge } from "~/components/Badge";
import { Button, ButtonLink, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { Menu, MenuItem, MenuSeparator } from "~/components/Menu";
import { PageHeader } from "~/components/PageHeader";
import { SortableList } from "~/components/sortable/SortableList";
import { EmptyState, Loaded } from "~/components/states";
import { collections } from "~/content/collections";
import { collectionIcon } from "~/content/icons";
import { useCan } from "~/session/session";

import { modelChanged } from "./change";
import { DeleteCollection } from "./Deleting";
import { NewCollection } from "./NewCollection";
import { exported } from "./queries";
import { SUPPORTS } from "./Supports";
import { useOrder } from "./useOrder";
import { useIsWorkedOn } from "./Work";

export function CollectionList({ isMaking, setMaking }: { isMaking: boolean; setMaking: (isMaking: boolean) => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const query = useQuery({ ...collections, staleTime: 0 });
  const [deleted, setDeleted] = useState<Collection>();
  const add = (
    <Button variant="primary" icon={<Plus />} onClick={() => setMaking(true)}>
      <Trans>New collection</Trans>
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t`Content model`}
        description={<Trans>The collections of this site and their fields: what editors fill in, and what the API gives.</Trans>}
        actions={
          query.data && (
            <>
              {query.data.length > 0 && (
                <ButtonLink to="/model/as-map" icon={<Network aria-hidden />}>
                  <Trans>Relations</Trans>
                </ButtonLink>
              )}
              <ButtonLink to="/model/from-file" icon={<FileJson aria-hidden />}>
                <Trans>As a file</Trans>
              </ButtonLink>
              {query.data.length > 0 && add}
            </>
          )
        }
      />
      {query.data && query.data.length > 0 ? (
        <Sorted items={query.data} onDelete={setDeleted} />
      ) : (
        <Card flush>
          <Loaded query={query}>
            {() => (
              <EmptyState icon={<Blocks />} title={<Trans>No collections yet</Trans>} action={add}>
                <Trans>A collection is a kind of content, such as articles, people or events. It has fields, such as a title and a text, and editors write its entries.</Trans>
              </EmptyState>
            )}
          </Loaded>
        </Card>
      )}
      {isMaking && (
        <NewCollection
          taken={(query.data ?? []).map(({ slug }) => slug)}
          onClose={() => setMaking(false)}
          onMade={({ slug }) => {
            setMaking(false);
            void navigate({ to: "/model/$collection", params: { collection: slug } });
          }}
        />
      )}
      {deleted && <DeleteCollection collection={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

function Sorted({ items, onDelete }: { items: Collection[]; onDelete: (collection: Collection) => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { shown, move } = useOrder(items, async (slugs) => {
    await answer(api.POST("/schema/collections/reorder", { body: { slugs } })).finally(() => modelChanged(queries));
  });
  return (
    <SortableList label={t`Collections`} items={shown} itemKey={({ slug }) => slug} itemName={({ label }) => label} onMove={move}>
      {(collection) => <Line collection={collection} onDelete={() => onDelete(collection)} />}
    </SortableList>
  );
}

function Line({ collection, onDelete }: { collection: Collection; onDelete: () => void }) {
  const { t, i18n } = useLingui();
  const can = useCan();
  const { label, slug, icon, supports, hidden } = collection;
  const fields = useQuery(exported).data?.find((other) => other.slug === slug)?.fields.length;
  const features = SUPPORTS.filter(({ support }) => supports.includes(support)).map(({ name }) => i18n._(name));
  return (
    <div className="flex min-w-0 items-center gap-1">
      <div className="relative flex min-w-0 grow items-center gap-3 rounded-md px-2 py-1.5 hover:bg-hover">
        {createElement(collectionIcon(icon), { "aria-hidden": true, className: "size-4 shrink-0 text-muted" })}
        <span className="grid min-w-0 gap-0.5">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Link to="/model/$collection" params={{ collection: slug }} className="min-w-0 rounded-sm font-medium break-words after:absolute after:inset-0">
              <bdi>{label}</bdi>
            </Link>
            {hidden && (
              <Badge>
                <Trans>Not in the navigation</Trans>
              </Badge>
            )}
            {can("jobs:manage") && <Working slug={slug} />}
          </span>
          <span className="min-w-0 text-sm break-words text-muted">
            <bdi>
              <code className="font-mono text-xs">{slug}</code>
            </bdi>
            {fields !== undefined && (
              <>
                {" "}
                · <Plural value={fields} one="# field" other="# fields" />
              </>
            )}
            {features.length > 0 && <span className="max-sm:hidden"> · {features.join(", ")}</span>}
          </span>
        </span>
      </div>
      <Menu trigger={<IconButton size="sm" label={t`Actions for ${label}`} icon={<Ellipsis />} />}>
        <MenuItem asChild>
          <Link to="/content/$collection" params={{ collection: slug }}>
            <List />
            <Trans>Show entries</Trans>
          </Link>
        </MenuItem>
        <MenuItem asChild>
          <Link to="/model/$collection" params={{ collection: slug }} search={{ tab: "settings" }}>
            <Settings2 />
            <Trans>Settings</Trans>
          </Link>
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 />} onSelect={onDelete}>
          <Trans>Delete…</Trans>
        </MenuItem>
      </Menu>
    </div>
  );
}

/** A job is about it. */
function Working({ slug }: { slug: string }) {
  const isWorkedOn = useIsWorkedOn();
  return (
    isWorkedOn(slug) && (
      <Badge tone="warn">
        <Trans>Work under way</Trans>
      </Badge>
    )
  );
}
