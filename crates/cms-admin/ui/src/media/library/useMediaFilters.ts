// What the library can be filtered by, as data.

import { useLingui } from "@lingui/react/macro";

import type { FilterField } from "~/table/filters/model";

export function useMediaFilters(): FilterField[] {
  const { t } = useLingui();
  return [
    {
      id: "kind",
      label: t`Kind`,
      kind: "choice",
      options: [
        { value: "image", label: t`Pictures` },
        { value: "video", label: t`Videos` },
        { value: "audio", label: t`Audio` },
        { value: "document", label: t`Documents` },
      ],
    },
    { id: "tag", label: t`Tag`, kind: "text", operators: ["is"] },
    { id: "createdAt", label: t`Uploaded`, kind: "date" },
    { id: "size", label: t`Size in MB`, kind: "number", operators: ["atLeast", "atMost", "between"] },
    { id: "alt", label: t`Alternative text`, kind: "choice", options: [{ value: "missing", label: t`missing` }] },
    { id: "usage", label: t`Use`, kind: "choice", options: [{ value: "unused", label: t`not used anywhere` }] },
  ];
}
