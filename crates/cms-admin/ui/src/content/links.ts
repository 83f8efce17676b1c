// Where an entry is opened, and a new one begun.

import { linkOptions } from "@tanstack/react-router";

/** The editor of an entry. */
export const entryLink = (collection: string, id: string) => linkOptions({ to: "/content/$collection/$id", params: { collection, id } });

/** The editor of an entry that is not there yet. */
export const newEntryLink = (collection: string) => entryLink(collection, "new");
