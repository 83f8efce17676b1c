// The folders of the library: which one is shown, what is dropped on them, and how they are made, renamed and deleted.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Folder, FolderOpen, FolderPlus, Images, Inbox, Pencil, Trash2 } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";

import { answer, api } from "~/api/client";
import { isCode } from "~/api/errors";
import type { MediaFolder, MediaItem } from "~/api/types";
import { Button, IconButton } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Select, TextField } from "~/components/Field";
import { Menu, MenuItem } from "~/components/Menu";
import { useDropPlace } from "~/components/sortable/dragging";
import { toast } from "~/components/toast";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { cx } from "~/lib/cx";

import { mediaChanged } from "../queries";
import { UNFILED } from "../question";
import type { Dragged } from "./dragged";

interface FoldersProps {
  folders: readonly MediaFolder[];
  /** The one that is shown; everything without it. */
  current: string | undefined;
  onChoose: (folder: string | undefined) => void;
  /** Folders can be made, renamed and deleted. */
  maySort: boolean;
  onMake: () => void;
  onDropped: (items: readonly MediaItem[], folder: string | null) => void;
  /** There is little room beside the files. */
  isCompact: boolean;
}

export function Folders({ folders, current, onChoose, maySort, onMake, onDropped, isCompact }: FoldersProps) {
  const { t } = useLingui();
  const [asked, setAsked] = useState<{ kind: "rename" | "delete"; folder: MediaFolder }>();
  const ask = (kind: "rename" | "delete", folder: MediaFolder) => setAsked({ kind, folder });
  const shown = folders.find(({ id }) => id === current);
  const dialogs = (
    <>
      {asked?.kind === "rename" && <FolderDialog folder={asked.folder} onClose={() => setAsked(undefined)} />}
      {asked?.kind === "delete" && <DeleteFolder folder={asked.folder} onClose={() => setAsked(undefined)} onDeleted={() => asked.folder.id === current && onChoose(undefined)} />}
    </>
  );
  if (isCompact) {
    return (
      <div className="mb-4 flex gap-2">
        <Select aria-label={t`Folder`} className="min-w-0 grow" value={current ?? ""} onChange={({ target }) => onChoose(target.value || undefined)}>
          <option value="">{t`All files`}</option>
          <option value={UNFILED}>{t`In no folder`}</option>
          {folders.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        {maySort && (
          <Menu trigger={<IconButton label={t`Folders`} icon={<Ellipsis />} />}>
            <MenuItem icon={<FolderPlus />} onSelect={onMake}>
              <Trans>New folder…</Trans>
            </MenuItem>
            {shown && <FolderItems folder={shown} onAsk={ask} />}
          </Menu>
        )}
        {dialogs}
      </div>
    );
  }
  const place = (id: string | undefined, icon: ReactNode, name: ReactNode, drop: string | null | undefined, folder?: MediaFolder) => (
    <Place key={id ?? ""} icon={icon} isCurrent={current === id} onChoose={() => onChoose(id)} drop={drop} onDropped={onDropped} menu={maySort && folder ? <FolderMenu folder={folder} onAsk={ask} /> : undefined}>
      {name}
    </Place>
  );
  return (
    <nav aria-label={t`Folders`} className="sticky top-[calc(var(--header-height)+1rem)] max-h-[calc(100dvh-var(--header-height)-2rem)] w-52 shrink-0 overflow-y-auto">
      <ul className="grid gap-0.5">
        {place(undefined, <Images />, <Trans>All files</Trans>, undefined)}
        {place(UNFILED, <Inbox />, <Trans>In no folder</Trans>, null)}
        {folders.map((folder) => place(folder.id, current === folder.id ? <FolderOpen /> : <Folder />, <bdi>{folder.name}</bdi>, folder.id, folder))}
      </ul>
      {maySort && (
        <Button size="sm" variant="ghost" icon={<FolderPlus />} className="mt-1.5" onClick={onMake}>
          <Trans>New folder…</Trans>
        </Button>
      )}
      {dialogs}
    </nav>
  );
}

interface PlaceProps {
  icon: ReactNode;
  isCurrent: boolean;
  onChoose: () => void;
  /** Where what is dropped here goes; undefined where nothing can be. */
  drop: string | null | undefined;
  onDropped: FoldersProps["onDropped"];
  menu: ReactNode;
  children: ReactNode;
}

function Place({ icon, isCurrent, onChoose, drop, onDropped, menu, children }: PlaceProps) {
  const place = useRef<HTMLLIElement>(null);
  const over = useDropPlace<Dragged>(place, {
    takes: ({ media }) => drop !== undefined && media.some(({ folderId }) => folderId !== drop),
    onDrop: ({ media }) => drop !== undefined && onDropped(media, drop),
  });
  return (
    <li ref={place} className={cx("flex items-center rounded-md hover:bg-hover", isCurrent && "bg-active", over && "bg-accent-soft outline-2 -outline-offset-2 outline-accent")}>
      <button
        type="button"
        aria-current={isCurrent ? "true" : undefined}
        onClick={onChoose}
        className={cx("flex min-h-9 min-w-0 grow items-center gap-2 rounded-md px-2.5 text-start -outline-offset-2 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted", isCurrent && "font-medium")}
      >
        {icon}
        <span className="truncate">{children}</span>
      </button>
      {menu}
    </li>
  );
}

type Ask = (kind: "rename" | "delete", folder: MediaFolder) => void;

function FolderMenu({ folder, onAsk }: { folder: MediaFolder; onAsk: Ask }) {
  const { t } = useLingui();
  const { name } = folder;
  return (
    <Menu trigger={<IconButton size="sm" label={t`Actions for ${name}`} icon={<Ellipsis />} />}>
      <FolderItems folder={folder} onAsk={onAsk} />
    </Menu>
  );
}

function FolderItems({ folder, onAsk }: { folder: MediaFolder; onAsk: Ask }) {
  return (
    <>
      <MenuItem icon={<Pencil />} onSelect={() => onAsk("rename", folder)}>
        <Trans>Rename folder…</Trans>
      </MenuItem>
      <MenuItem danger icon={<Trash2 />} onSelect={() => onAsk("delete", folder)}>
        <Trans>Delete folder…</Trans>
      </MenuItem>
    </>
  );
}

/** Makes a folder, or gives one another name. */
export function FolderDialog({ folder, onClose, onMade }: { folder?: MediaFolder; onClose: () => void; onMade?: (folder: MediaFolder) => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const form = useForm({
    values: { name: folder?.name ?? "" },
    explain: (error) => (isCode(error, "FOLDER_LIMIT") ? t`The library has as many folders as it can have.` : isCode(error, "CONFLICT") ? t`There is already a folder with this name, or somebody else renamed this one.` : undefined),
    submit: async ({ name }) => {
      const { item } = folder
        ? await answer(api.PUT("/media/folders/{id}", { params: { path: { id: folder.id } }, body: { name, _rev: folder._rev } }))
        : await answer(api.POST("/media/folders", { body: { name } }));
      await mediaChanged(queries);
      onMade?.(item);
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title={folder ? <Trans>Rename the folder</Trans> : <Trans>New folder</Trans>} locked={form.isSending}>
      <Form form={form}>
        <TextField label={<Trans>Name</Trans>} autoFocus autoComplete="off" maxLength={200} {...form.field("name")} />
        <DialogActions>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" pending={form.isSending}>
            {folder ? <Trans>Rename</Trans> : <Trans>Create folder</Trans>}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function DeleteFolder({ folder: { id, name }, onClose, onDeleted }: { folder: MediaFolder; onClose: () => void; onDeleted: () => void }) {
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      open
      danger
      onOpenChange={onClose}
      title={<Trans>Delete the folder “{name}”?</Trans>}
      description={<Trans>Its files stay in the library, in no folder.</Trans>}
      confirm={<Trans>Delete folder</Trans>}
      onConfirm={async () => {
        await answer(api.DELETE("/media/folders/{id}", { params: { path: { id } } }));
        onDeleted();
        await mediaChanged(queries);
        toast.good(<Trans>The folder was deleted.</Trans>);
      }}
    />
  );
}
