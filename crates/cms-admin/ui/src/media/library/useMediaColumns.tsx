// The columns of the library as a list.

import { useLingui } from "@lingui/react/macro";

import type { MediaFolder, MediaItem } from "~/api/types";
import { useFormat } from "~/lib/format";
import type { Column } from "~/table/columns";
import { RowLink } from "~/table/RowLink";
import { State } from "~/table/State";

import { kindOf } from "../question";
import { Thumb } from "./Thumb";
import { lacksAlt } from "./Tile";

export function useMediaColumns(folders: readonly MediaFolder[]): Column<MediaItem>[] {
  const { t } = useLingui();
  const { bytes, dateTime, relative } = useFormat();
  const nameOf = (id: string | null) => folders.find((folder) => folder.id === id)?.name ?? "–";
  return [
    {
      id: "name",
      header: t`Name`,
      primary: true,
      width: { least: 15, share: 3 },
      cell: (item) => (
        <span className="flex min-w-0 items-center gap-3">
          <Thumb item={item} width={96} className="size-8 shrink-0 rounded-sm" />
          <RowLink from="/media" to="/media/$id" params={{ id: item.id }} search={(search) => search} resetScroll={false} className="block min-w-0 truncate">
            <bdi>{item.filename}</bdi>
          </RowLink>
        </span>
      ),
    },
    {
      id: "alt",
      header: t`Alternative text`,
      width: { least: 10, share: 2 },
      cell: (item) =>
        lacksAlt(item) ? (
          <State tone="warn">{t`No alternative text`}</State>
        ) : (
          <bdi className="text-muted max-sm:hidden">{item.alt ?? (kindOf(item.mimeType) === "image" ? "" : "–")}</bdi>
        ),
    },
    { id: "type", header: t`Type`, width: { least: 8 }, className: "sm:text-muted", cell: ({ mimeType }) => <bdi dir="ltr">{mimeType}</bdi> },
    { id: "size", header: t`Size`, align: "end", width: { least: 6 }, className: "sm:text-muted", cell: ({ size }) => bytes(size) },
    { id: "dimensions", header: t`Dimensions`, width: { least: 8 }, className: "sm:text-muted", phone: "hidden", cell: ({ width, height }) => (width && height ? <bdi dir="ltr">{`${width} × ${height}`}</bdi> : "–") },
    { id: "folder", header: t`Folder`, width: { least: 7, share: 1 }, className: "sm:text-muted", phone: "hidden", cell: ({ folderId }) => <bdi>{nameOf(folderId)}</bdi> },
    { id: "createdAt", header: t`Uploaded`, width: { least: 8.5 }, className: "sm:text-muted", phone: "hidden", cell: ({ createdAt }) => <span title={dateTime(createdAt)}>{relative(createdAt)}</span> },
  ];
}
