// The saved views of a list: choose one, save what is shown as one, rename and delete.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Bookmark, Pencil, Plus, RotateCcw, Save, Trash2, Users } from "lucide-react";
import { Suspense, useState } from "react";

import { Button, IconButton } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { ErrorState, SkeletonRows } from "~/components/states";
import { toast } from "~/components/toast";
import { lazily } from "~/lib/lazily";
import { isSame } from "~/lib/same";

import { Popover } from "../Popover";
import type { Draft, View, ViewStore } from "./store";

// Fetched when a view is named: lists are looked at far more often.
const ViewDialog = lazily(() => import("./ViewDialog").then((of) => of.ViewDialog));

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
  const [isOpen, setOpen] = useState(false);
  const { data: views = [], isPending, error, refetch } = useQuery({ queryKey: key, queryFn: store.list });
  // The view that is edited, or what a new one begins as.
  const [edited, setEdited] = useState<View | Draft>();
  const [removed, setRemoved] = useState<View>();
  // What was chosen last may have been changed since, and is then offered to be updated.
  const [chosen, setChosen] = useState<string>();
  const current = views.find((view) => isSame(view.search, search));
  const outdated = current ? undefined : views.find(({ id, mayEdit }) => id === chosen && mayEdit);
  const changed = () => queries.invalidateQueries({ queryKey: key });
  const name = removed?.name;

  function choose(search: Record<string, string>, id?: string) {
    setOpen(false);
    setChosen(id);
    onChoose(search);
  }
  function edit(view: View | Draft) {
    setOpen(false);
    setEdited(view);
  }
  async function keep(draft: Draft, view?: View | Draft) {
    await (view && "id" in view ? store.change(view, draft) : store.add(draft));
    await changed();
    toast.good(<Trans>The view is saved.</Trans>);
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
        {isPending ? (
          <SkeletonRows rows={2} />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : views.length === 0 ? (
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
                  onClick={() => choose(view.search, view.id)}
                  className="flex min-h-9 min-w-0 grow items-center gap-2 rounded-md px-2.5 text-start aria-current:font-semibold pointer-coarse:min-h-11"
                >
                  <bdi className="block truncate">{view.name}</bdi>
                  {view.isShared && <Users role="img" aria-label={t`Shared`} className="size-3.5 shrink-0 text-muted" />}
                </button>
                {view.mayEdit && (
                  <>
                    <IconButton size="sm" label={t`Edit ${view.name}`} icon={<Pencil />} onClick={() => edit(view)} />
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
          {outdated && (
            <Button
              variant="ghost"
              icon={<Save />}
              className="justify-start!"
              onClick={() => {
                setOpen(false);
                keep({ name: outdated.name, search, isShared: outdated.isShared }, outdated).catch((error: unknown) => toast.bad(error));
              }}
            >
              <bdi className="block truncate">{t`Update “${outdated.name}”`}</bdi>
            </Button>
          )}
          {!current && (
            <Button variant="ghost" icon={<Plus />} className="justify-start!" onClick={() => edit({ name: "", search, isShared: false })}>
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
          <ViewDialog view={edited} canShare={store.canShare} onClose={() => setEdited(undefined)} onSave={(draft) => keep(draft, edited)} />
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
            await store.remove(removed);
            await changed();
          }}
        />
      )}
    </>
  );
}
