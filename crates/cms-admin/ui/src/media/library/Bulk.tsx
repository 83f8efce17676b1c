// What is done to many files at once: they are moved, tagged or deleted, by one request each. Moves and tags can be undone; deleting asks.

import { plural } from "@lingui/core/macro";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis, FolderInput, Tags, Trash2, X } from "lucide-react";
import { useState, type ReactNode } from "react";

import { isCode, messageOf } from "~/api/errors";
import type { MediaFolder, MediaItem } from "~/api/types";
import { Button, IconButton } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { Dialog, DialogActions } from "~/components/Dialog";
import { SelectField } from "~/components/Field";
import { Menu, MenuItem } from "~/components/Menu";
import { Notice } from "~/components/Notice";
import { toast } from "~/components/toast";
import { BAR } from "~/jobs/Progress";
import { useFormat } from "~/lib/format";
import { useIsNarrow } from "~/lib/useMedia";
import type { Selecting } from "~/table/selection";

import { change, freshItem, mediaChanged, remove } from "../queries";
import { useMay } from "../may";
import { withEach, type Outcome } from "../several";
import { withoutTags, withTags } from "../tags";
import { TagField } from "./TagField";

/** Work that is under way, or that did not work for some. */
interface Work {
  title: string;
  total: number;
  through: number;
  stop: AbortController;
  failed?: Outcome<MediaItem, unknown>["failed"];
  left?: number;
}

/** How often a change is tried that others were faster than. */
const TRIES = 3;

/** Changes an item by what it is this moment, again if somebody else was faster. */
async function changeFresh(seen: MediaItem, changed: (item: MediaItem) => Parameters<typeof change>[1] | undefined): Promise<MediaItem> {
  let item = seen;
  for (let tries = 1; ; tries++) {
    const body = changed(item);
    if (!body) return item;
    try {
      return await change(item.id, { ...body, _rev: item._rev });
    } catch (error) {
      if (!isCode(error, "CONFLICT") || tries === TRIES) throw error;
      item = await freshItem(item.id);
    }
  }
}

/** Does something with each of many, and shows how far it is. */
function useSeveral() {
  const queries = useQueryClient();
  const [work, setWork] = useState<Work>();

  async function run<Result>(title: string, items: readonly MediaItem[], deed: (item: MediaItem) => Promise<Result>): Promise<Outcome<MediaItem, Result>> {
    const stop = new AbortController();
    setWork({ title, total: items.length, through: 0, stop });
    const outcome = await withEach(items, deed, { signal: stop.signal, onProgress: (through) => setWork((work) => work && { ...work, through }) });
    const { failed, left } = outcome;
    setWork(failed.length > 0 ? { title, total: items.length, through: items.length - left.length, stop, failed, left: left.length } : undefined);
    await mediaChanged(queries);
    return outcome;
  }

  return { run, dialog: work && <WorkDialog work={work} onClose={() => setWork(undefined)} /> };
}

function WorkDialog({ work: { title, total, through, stop, failed }, onClose }: { work: Work; onClose: () => void }) {
  const { number } = useFormat();
  const [shown, all] = [number(through), number(total)];
  return (
    <Dialog open onOpenChange={() => failed && onClose()} role="alertdialog" title={title} locked={!failed}>
      <p role="status" className="mb-2">
        <Trans>
          {shown} of {all}
        </Trans>
      </p>
      {!failed && <progress aria-label={title} className={BAR} max={total} value={through} />}
      {failed && (
        <>
          <Notice tone="warn" title={<Plural value={failed.length} one="It did not work for # file" other="It did not work for # files" />}>
            <Plural value={failed.length} one="It stays selected." other="They stay selected." />
          </Notice>
          <ul className="mt-3 grid max-h-64 gap-2 overflow-y-auto" tabIndex={0}>
            {failed.map(({ item, error }) => (
              <li key={item.id} className="grid">
                <bdi className="truncate font-medium">{item.filename}</bdi>
                <span className="text-sm text-muted">{isCode(error, "MEDIA_IN_USE") ? <Trans>It is used in content, or it is not known yet whether it is.</Trans> : messageOf(error)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <DialogActions>
        {failed ? (
          <Button variant="primary" autoFocus onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        ) : (
          <Button autoFocus onClick={() => stop.abort()}>
            <Trans>Stop</Trans>
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

type Move = (items: readonly MediaItem[], folder: string | null) => void;

/** Moves files into a folder, or out of all, with a way back to where each was. */
export function useMove(onDone?: (outcome: Outcome<MediaItem, unknown>) => void): { move: Move; dialog: ReactNode } {
  const { t } = useLingui();
  const { run, dialog } = useSeveral();

  async function move(items: readonly MediaItem[], folder: string | null) {
    const moving = items.filter(({ folderId }) => folderId !== folder);
    if (moving.length === 0) return;
    const outcome = await run(t`Moving files`, moving, (item) => changeFresh(item, () => ({ folderId: folder })));
    onDone?.(outcome);
    const count = outcome.done.length;
    if (count > 0) toast.undo(<Plural value={count} one="# file was moved." other="# files were moved." />, () => void back(outcome.done, folder));
  }

  async function back(done: { item: MediaItem; result: MediaItem }[], folder: string | null) {
    const before = new Map(done.map(({ item }) => [item.id, item.folderId]));
    // What somebody moved on meanwhile stays where they put it.
    const outcome = await run(t`Undoing`, done.map(({ result }) => result), (item) => changeFresh(item, (now) => (now.folderId === folder ? { folderId: before.get(now.id) ?? null } : undefined)));
    if (outcome.failed.length === 0) toast.good(<Trans>Undone.</Trans>);
  }

  return { move: (items, folder) => void move(items, folder), dialog };
}

type Kind = "move" | "tag" | "delete";

export function Bulk({ selecting, folders }: { selecting: Selecting<MediaItem>; folders: readonly MediaFolder[] }) {
  const { t, i18n } = useLingui();
  const may = useMay();
  const [asked, setAsked] = useState<Kind>();
  const settle = ({ failed, left }: Outcome<MediaItem, unknown>) => selecting.only([...failed.map(({ item }) => item), ...left]);
  const { move, dialog: moving } = useMove(settle);
  const { run, dialog: working } = useSeveral();
  const items = selecting.selection.kind === "these" ? [...selecting.selection.rows.values()] : [];
  const removable = items.filter(may.remove);
  const count = items.length;
  const files = i18n._(plural(count, { one: "# file", other: "# files" }));
  const close = () => setAsked(undefined);

  async function tag(add: readonly string[], take: readonly string[]) {
    close();
    const changed = (tags: readonly string[]) => withTags(withoutTags(tags, take), add);
    const before = new Map<string, readonly string[]>();
    const outcome = await run(t`Tagging files`, items, (item) =>
      changeFresh(item, (now) => {
        before.set(now.id, now.tags);
        return { tags: changed(now.tags) };
      }),
    );
    settle(outcome);
    const done = outcome.done.length;
    if (done > 0) toast.undo(<Plural value={done} one="# file was tagged." other="# files were tagged." />, () => void untag(outcome.done.map(({ result }) => result), before, add, take));
  }

  /** Takes back what was added, and gives back what was taken; what others did to the tags meanwhile stays. */
  async function untag(done: MediaItem[], before: ReadonlyMap<string, readonly string[]>, add: readonly string[], take: readonly string[]) {
    const outcome = await run(t`Undoing`, done, (item) =>
      changeFresh(item, (now) => {
        const had = before.get(now.id) ?? [];
        const added = withoutTags(add, had);
        const taken = had.filter((tag) => withoutTags([tag], take).length === 0);
        return { tags: withTags(withoutTags(now.tags, added), taken) };
      }),
    );
    if (outcome.failed.length === 0) toast.good(<Trans>Undone.</Trans>);
  }

  async function removeAll() {
    close();
    const outcome = await run(t`Deleting files`, removable, ({ id }) => remove(id, false));
    settle(outcome);
    const done = outcome.done.length;
    if (done > 0) toast.good(<Plural value={done} one="# file was deleted." other="# files were deleted." />);
  }

  return (
    <>
      {!selecting.isEmpty && <Bar count={count} mayDelete={removable.length > 0} onChoose={setAsked} onClear={selecting.clear} />}
      {asked === "move" && (
        <MoveDialog
          files={files}
          folders={folders}
          onClose={close}
          onMove={(folder) => {
            close();
            move(items, folder);
          }}
        />
      )}
      {asked === "tag" && <TagDialog files={files} items={items} onClose={close} onTag={(add, take) => void tag(add, take)} />}
      {asked === "delete" && <DeleteDialog items={removable} onClose={close} onDelete={removeAll} />}
      {moving}
      {working}
    </>
  );
}

function Bar({ count, mayDelete, onChoose, onClear }: { count: number; mayDelete: boolean; onChoose: (kind: Kind) => void; onClear: () => void }) {
  const { t } = useLingui();
  const isNarrow = useIsNarrow();
  const offers = [
    { kind: "move" as const, label: t`Move…`, icon: <FolderInput /> },
    { kind: "tag" as const, label: t`Tag…`, icon: <Tags /> },
    ...(mayDelete ? [{ kind: "delete" as const, label: t`Delete…`, icon: <Trash2 /> }] : []),
  ];
  const inSight = isNarrow ? offers.slice(0, 1) : offers;
  const inMenu = offers.slice(inSight.length);
  return (
    <div
      role="region"
      aria-label={t`Selection`}
      className="sticky bottom-3 z-20 mx-3 mb-3 flex items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-raised px-4 py-2.5 shadow-high max-sm:py-1.5 max-sm:pe-1.5 sm:flex-wrap"
    >
      <p role="status" className="font-medium">
        <Plural value={count} one="# selected" other="# selected" />
      </p>
      <div className="ms-auto flex gap-1.5 sm:flex-wrap">
        {inSight.map(({ kind, label, icon }) => (
          <Button key={kind} size="sm" icon={icon} onClick={() => onChoose(kind)}>
            {label}
          </Button>
        ))}
        {inMenu.length > 0 && (
          <Menu trigger={<IconButton size="sm" label={t`More`} icon={<Ellipsis />} />}>
            {inMenu.map(({ kind, label, icon }) => (
              <MenuItem key={kind} icon={icon} danger={kind === "delete"} onSelect={() => onChoose(kind)}>
                {label}
              </MenuItem>
            ))}
          </Menu>
        )}
        <IconButton size="sm" label={t`Clear the selection`} icon={<X />} onClick={onClear} />
      </div>
    </div>
  );
}

function MoveDialog({ files, folders, onClose, onMove }: { files: string; folders: readonly MediaFolder[]; onClose: () => void; onMove: (folder: string | null) => void }) {
  const { t } = useLingui();
  const [folder, setFolder] = useState("");
  return (
    <Dialog open onOpenChange={onClose} title={<Trans>Move {files}</Trans>}>
      <SelectField label={<Trans>Folder</Trans>} autoFocus value={folder} onChange={({ target }) => setFolder(target.value)}>
        <option value="">{t`In no folder`}</option>
        {folders.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button variant="primary" onClick={() => onMove(folder || null)}>
          <Trans>Move</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function TagDialog({ files, items, onClose, onTag }: { files: string; items: readonly MediaItem[]; onClose: () => void; onTag: (add: readonly string[], take: readonly string[]) => void }) {
  const [add, setAdd] = useState<readonly string[]>([]);
  const [kept, setKept] = useState<readonly string[]>(() => withTags([], items.flatMap(({ tags }) => tags)));
  const [all] = useState(kept);
  const take = withoutTags(all, kept);
  return (
    <Dialog open onOpenChange={onClose} title={<Trans>Tag {files}</Trans>}>
      <div className="grid gap-5">
        <TagField label={<Trans>Add tags</Trans>} autoFocus value={add} onChange={setAdd} />
        {all.length > 0 && <TagField label={<Trans>Tags that they have</Trans>} hint={<Trans>What you remove here is removed from all of them.</Trans>} value={kept} onChange={setKept} isOnlyRemoving />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button variant="primary" disabled={add.length + take.length === 0} onClick={() => onTag(add, take)}>
          <Trans>Change tags</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function DeleteDialog({ items, onClose, onDelete }: { items: readonly MediaItem[]; onClose: () => void; onDelete: () => Promise<void> }) {
  const { i18n } = useLingui();
  const files = i18n._(plural(items.length, { one: "# file", other: "# files" }));
  return (
    <ConfirmDialog
      open
      danger
      onOpenChange={onClose}
      title={<Trans>Delete {files}?</Trans>}
      description={<Trans>They are deleted for good. Whatever shows them shows nothing from then on.</Trans>}
      confirm={<Trans>Delete for good</Trans>}
      onConfirm={onDelete}
    />
  );
}
