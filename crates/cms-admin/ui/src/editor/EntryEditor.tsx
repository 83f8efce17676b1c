// The screen of an entry: opens it, and shows its editor.

import { useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";

import { isCode } from "~/api/errors";
import { Card } from "~/components/Card";
import { PageHeader } from "~/components/PageHeader";
import { ErrorState, SkeletonRows } from "~/components/states";

import { Editor } from "./Editor";
import { Lost } from "./Gone";
import { SessionContext } from "./model/context";
import { takeHanded } from "./model/handed";
import { useOpen } from "./model/useOpen";

export interface EntryEditorProps {
  collection: string;
  /** None for a new entry. */
  id: string | undefined;
  locale?: string | undefined;
  /** The field to go to. */
  field?: string | undefined;
  tab?: string | undefined;
  translationOf?: string | undefined;
  /** The tab whose unsaved new entry is gone on with. */
  left?: string | undefined;
  /** A translation to show beside it. */
  beside?: string | undefined;
  /** Whether its page on the site is shown beside it. */
  preview?: string | undefined;
}

export function EntryEditor({ collection, id, locale, translationOf, left, field, tab, beside, preview }: EntryEditorProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { session, error, again } = useOpen({ collection, id, locale, translationOf, left });

  // Once the server has a new entry, its address is its own.
  useEffect(
    () =>
      session?.item.subscribe(() => {
        const item = session.item.get();
        if (item && id === undefined) void navigate({ to: "/content/$collection/$id", params: { collection, id: item.id }, search: ({ tab, preview }) => ({ tab, preview }), replace: true, ignoreBlocker: true });
      }),
    [session, id, collection, navigate],
  );

  useEffect(() => {
    if (session?.isNew) void takeHanded(session);
  }, [session]);

  if (id !== undefined && isCode(error, "NOT_FOUND")) return <Lost {...{ collection, id, error }} onBack={again} />;
  if (error !== undefined) {
    return (
      <>
        <PageHeader title={t`Content`} />
        <Card flush>
          <ErrorState error={error} onRetry={again} />
        </Card>
      </>
    );
  }
  if (!session) {
    return (
      <>
        <PageHeader title={t`Content`} />
        <Card flush>
          <SkeletonRows rows={4} />
        </Card>
      </>
    );
  }
  return (
    <SessionContext value={session}>
      <Editor key={keyOf(session)} field={field} tab={tab} beside={beside} preview={preview} />
    </SessionContext>
  );
}

const keys = new WeakMap<object, number>();
let last = 0;

/** A session is drawn by one editor, and another one by another. */
function keyOf(session: object): number {
  const key = keys.get(session) ?? ++last;
  keys.set(session, key);
  return key;
}
