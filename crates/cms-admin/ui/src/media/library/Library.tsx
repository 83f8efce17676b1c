// The library: folders, search, filters, its files as tiles or as a list, and what comes in from outside.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { FolderPlus, Images, LayoutGrid, List, Upload } from "lucide-react";
import { useDeferredValue, useMemo, useRef, useState, type ReactNode } from "react";

import type { MediaItem } from "~/api/types";
import { Button, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { PageHeader } from "~/components/PageHeader";
import { SearchField } from "~/components/SearchField";
import { EmptyState, ErrorState, SkeletonRows } from "~/components/states";
import { useIsNarrow, useMedia } from "~/lib/useMedia";
import { useMe } from "~/session/session";
import { useCommands } from "~/shell/commands";
import { EndlessTable } from "~/table/EndlessTable";
import { AddFilter, FilterChips } from "~/table/filters/FilterBar";
import { readFilters, writeFilters } from "~/table/filters/text";
import { useSelection } from "~/table/selection";
import { useKeyset } from "~/table/useKeyset";

import { folders as foldersQuery, listKey, mediaPage } from "../queries";
import { questionOf, UNFILED, type MediaSearch } from "../question";
import { useMay } from "../may";
import { send } from "../upload/store";
import { Bulk, useMove } from "./Bulk";
import { FolderDialog, Folders } from "./Folders";
import { CountText, Grid } from "./Grid";
import { useFiles } from "./useFiles";
import { useMediaColumns } from "./useMediaColumns";
import { useMediaFilters } from "./useMediaFilters";
import { keepView, viewOf, type View } from "./view";

interface LibraryProps {
  search: MediaSearch;
  /** The file that is open beside it. */
  open: string | undefined;
  /** Changes the address. */
  onSearch: (search: MediaSearch) => void;
  /** What is beside it. */
  children: ReactNode;
}

export function Library({ search, open, onSearch, children }: LibraryProps) {
  const { t } = useLingui();
  const me = useMe();
  const may = useMay();
  const [isMaking, setMaking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const folders = useQuery(foldersQuery).data ?? [];
  const view = viewOf(search.view, me.id);
  const ask = (change: MediaSearch) => onSearch({ ...search, ...change });
  const show = (view: View) => {
    keepView(me.id, view);
    ask({ view });
  };
  // What comes in goes where one is.
  const take = (files: readonly File[]) => send(files, search.folder === UNFILED ? undefined : search.folder);
  const isOver = useFiles(may.upload ? take : undefined);
  const { move, dialog } = useMove();
  const isNarrow = useIsNarrow();
  const hasRoom = useMedia("(width >= 90rem)");
  // Beside an open file the list of folders would leave no room for the others.
  const isCompact = isNarrow || (open !== undefined && !hasRoom);
  const isList = view === "list";
  const commands = useMemo(
    () => [
      ...(may.upload ? [{ id: "media-upload", label: t`Upload files…`, icon: <Upload aria-hidden />, run: () => input.current?.click() }] : []),
      ...(may.sort ? [{ id: "media-folder", label: t`New folder…`, icon: <FolderPlus aria-hidden />, run: () => setMaking(true) }] : []),
      { id: "media-view", label: isList ? t`Show as tiles` : t`Show as a list`, icon: isList ? <LayoutGrid aria-hidden /> : <List aria-hidden />, run: () => show(isList ? "grid" : "list") },
    ],
    // The view and the address are what they do.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [may, isList, search, t],
  );
  useCommands(commands);
  const folder = folders.find(({ id }) => id === search.folder);

  return (
    <div data-wide data-whole={open === undefined ? undefined : true} className="flex items-start gap-6">
      <div className="min-w-0 grow">
        <PageHeader
          title={t`Media`}
          description={<Trans>Pictures, documents, sound and video of this site.</Trans>}
          actions={
            may.upload && (
              <>
                <input
                  ref={input}
                  type="file"
                  multiple
                  hidden
                  aria-hidden
                  tabIndex={-1}
                  onChange={({ target }) => {
                    take([...(target.files ?? [])]);
                    // The same file can be chosen again.
                    target.value = "";
                  }}
                />
                <Button variant="primary" icon={<Upload />} onClick={() => input.current?.click()}>
                  <Trans>Upload files</Trans>
                </Button>
              </>
            )
          }
        />
        <div className={isCompact ? "grid" : "flex items-start gap-6"}>
          <Folders
            folders={folders}
            current={search.folder}
            onChoose={(folder) => ask({ folder })}
            maySort={may.sort}
            onMake={() => setMaking(true)}
            isCompact={isCompact}
            onDropped={(items, folder) => move(items.filter(may.edit), folder)}
          />
          <Files search={search} ask={ask} view={view} onView={show} open={open} onUpload={may.upload ? () => input.current?.click() : undefined} />
        </div>
      </div>
      {children}
      {dialog}
      {isMaking && <FolderDialog onClose={() => setMaking(false)} onMade={({ id }) => ask({ folder: id })} />}
      {isOver && (
        <div className="pointer-events-none fixed inset-3 z-50 grid animate-fade place-items-center rounded-xl border-2 border-dashed border-accent bg-accent-soft/90">
          <p className="flex items-center gap-3 text-lg font-semibold text-accent-ink">
            <Upload aria-hidden className="size-6" />
            {folder ? <Trans>Drop files here to upload them into “{folder.name}”</Trans> : <Trans>Drop files here to upload them</Trans>}
          </p>
        </div>
      )}
    </div>
  );
}

interface FilesProps {
  search: MediaSearch;
  ask: (change: MediaSearch) => void;
  view: View;
  onView: (view: View) => void;
  open: string | undefined;
  onUpload: (() => void) | undefined;
}

function Files({ search, ask, view, onView, open, onUpload }: FilesProps) {
  const { t } = useLingui();
  const may = useMay();
  const folders = useQuery(foldersQuery).data ?? [];
  const columns = useMediaColumns(folders);
  const fields = useMediaFilters();
  const question = useMemo(() => questionOf(search), [search]);
  const list = useKeyset<MediaItem>({ key: listKey(question), page: (cursor, signal) => mediaPage(question, cursor, signal) });
  const isDrawn = !useDeferredValue(list.isPending);
  const selecting = useSelection<MediaItem>(({ id }) => id, JSON.stringify(question));
  const filters = readFilters(search.filter);
  const isFiltered = filters.length > 0 || search.q !== undefined;
  const filtering = { fields, filters, onChange: (next: typeof filters) => ask({ filter: writeFilters(next) }) };
  const shared = { label: t`Files`, list, selecting: may.editSome ? selecting : undefined, maySelect: may.edit };

  return (
    <Card className="relative min-w-0 grow">
      <div className="-mx-5 -mt-3.5 -mb-5">
        <div className="flex flex-wrap gap-2 px-5 py-4 max-sm:px-4">
          <SearchField label={t`Search names`} value={search.q} maxLength={200} onChange={(q) => ask({ q })} />
          <AddFilter {...filtering} />
          <div role="group" aria-label={t`View`} className="ms-auto flex gap-0.5">
            <IconButton label={t`Show as tiles`} aria-pressed={view === "grid"} icon={<LayoutGrid />} className={view === "grid" ? "bg-active text-ink" : ""} onClick={() => onView("grid")} />
            <IconButton label={t`Show as a list`} aria-pressed={view === "list"} icon={<List />} className={view === "list" ? "bg-active text-ink" : ""} onClick={() => onView("list")} />
          </div>
        </div>
        <FilterChips {...filtering} />
        {list.isPending || !isDrawn ? (
          <SkeletonRows />
        ) : list.count === 0 ? (
          <div className="border-t border-line">
            {list.error ? (
              <ErrorState error={list.error} onRetry={list.retry} />
            ) : (
              <Nothing isFiltered={isFiltered} isFolder={search.folder !== undefined} onClear={() => ask({ q: undefined, filter: undefined })} onUpload={onUpload} />
            )}
          </div>
        ) : view === "grid" ? (
          <Grid {...shared} open={open} />
        ) : (
          <EndlessTable {...shared} columns={columns} rowKey={({ id }) => id} nameOf={({ filename }) => filename} countText={(count, isAll) => <CountText count={count} isAll={isAll} />} />
        )}
        <Bulk selecting={selecting} folders={folders} />
      </div>
    </Card>
  );
}

function Nothing({ isFiltered, isFolder, onClear, onUpload }: { isFiltered: boolean; isFolder: boolean; onClear: () => void; onUpload: (() => void) | undefined }) {
  if (isFiltered) {
    return (
      <EmptyState
        title={<Trans>Nothing matches</Trans>}
        action={
          <Button onClick={onClear}>
            <Trans>Clear filters</Trans>
          </Button>
        }
      >
        <Trans>No file matches all of it.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<Images />}
      title={isFolder ? <Trans>This folder is empty</Trans> : <Trans>No files yet</Trans>}
      action={
        onUpload && (
          <Button variant="primary" icon={<Upload />} onClick={onUpload}>
            <Trans>Upload files</Trans>
          </Button>
        )
      }
    >
      {onUpload && <Trans>Drop files anywhere on this page, or paste them.</Trans>}
    </EmptyState>
  );
}
