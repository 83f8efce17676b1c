// A collection as its form has it, and what of it is sent.

import type { components } from "~/api/schema";
import type { Collection } from "~/api/types";
import { isSame } from "~/lib/same";

type Schemas = components["schemas"];
export type CollectionChange = Schemas["UpdateCollectionBody"];
export type Support = Collection["supports"][number];

/** Members are called as the server calls them. */
export interface Settings {
  label: string;
  labelSingular: string;
  description: string;
  icon: string | null;
  admin: { listColumns: string[] };
  supports: Support[];
  urlPattern: string;
  routable: boolean;
  hidden: boolean;
  titleField: string;
  dateField: string;
  commentsEnabled: boolean;
  commentsModeration: Collection["commentsModeration"];
  commentsClosedAfterDays: string;
  commentsAutoApproveUsers: boolean;
  editLocking: boolean;
  indexes: { fields: string[] }[];
}

export function settingsOf(collection: Collection): Settings {
  const { label, supports, routable, hidden, commentsEnabled, commentsModeration, commentsAutoApproveUsers, editLocking } = collection;
  return {
    ...{ label, supports, routable, hidden, commentsEnabled, commentsModeration, commentsAutoApproveUsers, editLocking },
    labelSingular: collection.labelSingular ?? "",
    description: collection.description ?? "",
    icon: collection.icon,
    admin: { listColumns: collection.admin?.listColumns ?? [] },
    urlPattern: collection.urlPattern ?? "",
    titleField: collection.titleField ?? "",
    dateField: collection.dateField ?? "",
    commentsClosedAfterDays: String(collection.commentsClosedAfterDays),
    indexes: collection.indexes.map(({ fields }) => ({ fields })),
  };
}

/** As the server takes it: what is empty is unset. */
function bodyOf(settings: Settings): Omit<Required<CollectionChange>, "_rev" | "sortOrder" | "hasSeo"> {
  const { label, labelSingular, description, urlPattern, titleField, dateField, commentsClosedAfterDays, admin, ...rest } = settings;
  return {
    ...rest,
    label: label.trim(),
    labelSingular: labelSingular.trim() || null,
    description: description.trim() || null,
    urlPattern: urlPattern.trim() || null,
    titleField: titleField || null,
    dateField: dateField || null,
    admin: admin.listColumns.length > 0 ? { listColumns: admin.listColumns } : null,
    commentsClosedAfterDays: Number(commentsClosedAfterDays),
  };
}

/** The settings that somebody changed. */
export function settingsChanged(collection: Collection, settings: Settings): CollectionChange {
  const before: Record<string, unknown> = bodyOf(settingsOf(collection));
  return Object.fromEntries(Object.entries(bodyOf(settings)).filter(([name, value]) => !isSame(before[name], value)));
}
