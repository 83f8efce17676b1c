// What whoever is there may do with the open entry.

import { useMay } from "~/content/may";
import { useCan } from "~/session/session";

import { useItem } from "./context";

export interface Rights {
  edit: boolean;
  publish: boolean;
  remove: boolean;
  duplicate: boolean;
  translate: boolean;
  /** Gives an entry to somebody else, and dates it. */
  own: boolean;
}

/** What is left of it while somebody else holds the entry: it is not published, put away or thrown away under their hands. */
export function whileHeld(rights: Rights): Rights {
  return { ...rights, edit: false, publish: false, remove: false, own: false };
}

/** What is left of it once the entry is gone. */
export const NONE: Rights = { edit: false, publish: false, remove: false, duplicate: false, translate: false, own: false };

export function useRights(): Rights {
  const can = useCan();
  const may = useMay();
  const item = useItem();
  return {
    edit: item ? may.edit(item) : may.create,
    publish: item ? may.publish(item) : may.publishSome,
    remove: item !== undefined && may.trash(item),
    duplicate: item !== undefined && may.duplicate(item),
    translate: item !== undefined && may.translate(item),
    own: may.changeAuthor && can("content:publish_any"),
  };
}
