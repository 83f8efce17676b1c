// What can be done with an entry from its row.

import { Trans, useLingui } from "@lingui/react/macro";
import { CalendarClock, Copy, CopyPlus, Ellipsis, EyeOff, Send, SquarePen, Trash2 } from "lucide-react";
import { Link } from "@tanstack/react-router";

import type { Entry } from "~/api/types";
import { IconButton } from "~/components/Button";
import { Menu, MenuItem, MenuSeparator } from "~/components/Menu";
import { useRowTab } from "~/table/RowLink";

import { entryLink } from "./links";
import { useMay } from "./may";

/** What was chosen. */
export type Chosen = "duplicate" | "publish" | "unpublish" | "schedule" | "trash" | "copyId";

interface EntryMenuProps {
  entry: Entry;
  name: string;
  /** Whether the collection's entries can be published at a later time. */
  canSchedule: boolean;
  onChoose: (entry: Entry, chosen: Chosen) => void;
}

export function EntryMenu({ entry, name, canSchedule, onChoose }: EntryMenuProps) {
  const { t } = useLingui();
  const may = useMay();
  const tab = useRowTab();
  const { status, hasDraft } = entry;
  const item = (chosen: Chosen) => () => onChoose(entry, chosen);
  const mayPublish = may.publish(entry);
  return (
    <Menu trigger={<IconButton size="sm" data-control="menu" {...tab} label={t`Actions for ${name}`} icon={<Ellipsis />} />}>
      <MenuItem asChild>
        <Link {...entryLink(entry.type, entry.id)}>
          <SquarePen />
          <Trans>Open</Trans>
        </Link>
      </MenuItem>
      {may.duplicate(entry) && (
        <MenuItem icon={<CopyPlus />} onSelect={item("duplicate")}>
          <Trans>Duplicate</Trans>
        </MenuItem>
      )}
      {mayPublish && (status !== "published" || hasDraft) && (
        <MenuItem icon={<Send />} onSelect={item("publish")}>
          {status === "published" ? <Trans>Publish changes</Trans> : <Trans>Publish</Trans>}
        </MenuItem>
      )}
      {mayPublish && canSchedule && (status !== "published" || hasDraft) && (
        <MenuItem icon={<CalendarClock />} onSelect={item("schedule")}>
          <Trans>Schedule…</Trans>
        </MenuItem>
      )}
      {mayPublish && status === "published" && (
        <MenuItem icon={<EyeOff />} onSelect={item("unpublish")}>
          <Trans>Unpublish</Trans>
        </MenuItem>
      )}
      <MenuItem icon={<Copy />} onSelect={item("copyId")}>
        <Trans>Copy ID</Trans>
      </MenuItem>
      {may.trash(entry) && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger onSelect={item("trash")}>
            <Trans>Move to trash…</Trans>
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
