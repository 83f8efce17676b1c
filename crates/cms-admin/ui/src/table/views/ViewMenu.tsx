// The saved views of a list: choose one, save what is shown as one, rename and delete.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Bookmark, Pencil, Plus, RotateCcw, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";

import { Button, IconButton } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { toast } from "~/components/toast";
import { isSame } from "~/lib/same";

import { Popover } from "../Popover";
import type { View, ViewStore } from "./store";

// Fetched when a view is named: lists are looked at far more often.
const ViewDialog = lazy(() => import("./ViewDialog").then(({ ViewDialog }) => ({ default: ViewDialog })));

interface ViewMenuProps {
  store: ViewStore;
  /** Names the list and whoever looks: what they keep is remembered under it. */
  scope: string;
  /** What the address has now. */
  search: Record<string, string>;
  onChoose: (search: Record<string, string>) => void;
}

export function ViewMenu({ store, scope, search, onChoose }: ViewMenuProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const key = ["views", scope];
  const { data: views = [] } = useQuery({ queryKey: key, queryFn: store.list });
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<View>();
  const [removed, setRemoved] = useState<View>();
  const current = views.find((view) => isSame(view.search, search));
  const changed = () => queries.invalidateQueries({ queryKey: key });
  const name = removed?.name;

  function choose(search: Record<string, string>) {
    setOpen(false);
    onChoose(search);
  }
  function edit(view: View) {
    setOpen(false);
    setEdited(view);
  }

  return (
    <>
      <Popover
        label={t`Views`}
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button icon={<Bookmark />}>
            <bdi className="block max-w-40 truncate">{current?.name ?? t`Views`}</bdi>
          </Button>
        }
      >
        {views.length === 0 ? (
          <p className="p-4 text-muted">
            <Trans>Save filters, order and columns that you need often as a view.</Trans>
          </p>
        ) : (
          <ul className="grid max-h-80 gap-0.5 overflow-y-auto p-1.5">
            {views.map((view) => (
              <li key={view.id} className="flex items-center gap-1 rounded-md hover:bg-hover">
                <button
                  type="button"
                  aria-current={view === current || undefined}
                  onClick={() => choose(view.search)}
                  className="min-h-9 min-w-0 grow rounded-md px-2.5 text-start aria-current:font-semibold pointer-coarse:min-h-11"
                >
                  <bdi className="block truncate">{view.name}</bdi>
                </button>
                {view.isMine && (
                  <>
                    <IconButton size="sm" label={t`Rename ${view.name}`} icon={<Pencil />} onClick={() => edit(view)} />
                    <IconButton
                      size="sm"
                      danger
                      label={t`Delete ${view.name}`}
                      icon={<Trash2 />}
                      onClick={() => {
                        setOpen(false);
                        setRemoved(view);
                      }}
                    />
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        <div className="grid gap-0.5 border-t border-line p-1.5">
          {!current && (
            <Button variant="ghost" icon={<Plus />} className="justify-start!" onClick={() => edit({ id: crypto.randomUUID(), name: "", search, isShared: false, isMine: true })}>
              <Trans>Save this view</Trans>
            </Button>
          )}
          <Button variant="ghost" icon={<RotateCcw />} className="justify-start!" onClick={() => choose({})}>
            <Trans>Show everything</Trans>
          </Button>
        </div>
      </Popover>
      {edited && (
        <Suspense>
          <ViewDialog
            view={edited}
            canShare={store.canShare}
            onClose={() => setEdited(undefined)}
            onSave={async (view) => {
              await store.save(view);
              await changed();
              toast.good(<Trans>The view is saved.</Trans>);
            }}
          />
        </Suspense>
      )}
      {removed && (
        <ConfirmDialog
          open
          danger
          onOpenChange={() => setRemoved(undefined)}
          title={
            <Trans>
              Delete the view <bdi>{name}</bdi>?
            </Trans>
          }
          description={<Trans>No entries are deleted.</Trans>}
          confirm={<Trans>Delete view</Trans>}
          onConfirm={async () => {
            await store.remove(removed.id);
            await changed();
          }}
        />
      )}
    </>
  );
}
