// Opens an entry, and closes it when another one is wanted. A new entry stays the same one when it gets its id.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { ALL_KEY, listKey } from "~/content/entries";
import { prune } from "~/editing/journal";
import { useMe } from "~/session/session";

import { prepareRich } from "../fields/Rich";
import { fetchEntry, LEFT_NEW, model } from "../queries";
import { EntrySession } from "./session";
import { valuesOf } from "./values";

export interface Wanted {
  collection: string;
  /** None for a new entry. */
  id: string | undefined;
  locale: string | undefined;
  /** Of a new entry: what it translates. */
  translationOf: string | undefined;
  /** Of a new entry: the tab whose unsaved one is gone on with. */
  left: string | undefined;
}

interface Opening {
  session?: EntrySession;
  error?: unknown;
}

export function useOpen({ collection, id, locale, translationOf, left }: Wanted): Opening & { again: () => void } {
  const queries = useQueryClient();
  const author = useMe().id;
  const [opening, setOpening] = useState<Opening>({});
  const [tries, setTries] = useState(0);
  const open = useRef<EntrySession>(undefined);

  useEffect(() => {
    const current = open.current;
    if (current && id !== undefined && current.collection.slug === collection && current.store.id === id) return;
    let isGone = false;
    setOpening({});
    async function begin(): Promise<EntrySession> {
      await current?.close();
      const asked = queries.query(model(collection));
      void asked.then(({ fields }) => prepareRich(fields), () => undefined);
      const given = async () => ({ ...(await asked), author, locale });
      if (id !== undefined) {
        const [opened, answered] = await Promise.all([given(), fetchEntry({ collection, id, locale })]);
        return EntrySession.of(answered, opened);
      }
      const opened = await given();
      const source = translationOf === undefined ? undefined : await fetchEntry({ collection, id: translationOf });
      // Its slug is its own: one is made from its title, and another language may have the same.
      const values = source ? valuesOf({ ...source.item, slug: null, publishedAt: undefined }) : {};
      const session = EntrySession.new({ ...opened, translationOf, values });
      if (left !== undefined) await session.goOnWith(left);
      return session;
    }
    begin().then(
      (session) => {
        if (isGone) return void session.close();
        // Also what is answered after the entry was left: lists and translations are others then.
        session.item.subscribe(() => {
          void queries.invalidateQueries({ queryKey: ["content"], refetchType: "none" });
          for (const queryKey of [listKey(collection), ALL_KEY, LEFT_NEW]) void queries.invalidateQueries({ queryKey });
        });
        open.current = session;
        setOpening({ session });
      },
      (error: unknown) => isGone || setOpening({ error }),
    );
    return () => {
      isGone = true;
    };
  }, [collection, id, locale, translationOf, left, author, queries, tries]);

  useEffect(() => {
    void prune().catch(() => undefined);
    return () => {
      void open.current?.close().then(() => queries.invalidateQueries({ queryKey: LEFT_NEW }));
      open.current = undefined;
    };
  }, [queries]);

  return { ...opening, again: () => setTries((tries) => tries + 1) };
}
