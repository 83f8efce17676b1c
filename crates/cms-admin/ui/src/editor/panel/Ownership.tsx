// Whose entry it is, and what date it bears.

import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";

import { Fact, Facts } from "~/components/Card";
import { PickerField } from "~/components/picker/PickerField";
import type { Option } from "~/components/picker/source";
import { toast } from "~/components/toast";
import { authorName, useAuthorName, useAuthorSource } from "~/content/authors";
import { useSiteTime } from "~/content/plan";
import { useFormat } from "~/lib/format";
import { useMe } from "~/session/session";

import { TypedDate } from "../fields/Datetime";
import { elementId } from "../fields/EntryField";
import { issueText } from "../fields/messages";
import type { Actions } from "../model/actions";
import { useIssues, useItem, useSession, useValue } from "../model/context";
import { PUBLISHED_AT, unread } from "../model/values";

export function Ownership({ actions, canOwn, onRefused }: { actions: Actions; canOwn: boolean; onRefused: () => void }) {
  const item = useItem();
  const { collection } = useSession();
  const { dateTime } = useFormat();
  const siteTime = useSiteTime();
  const personName = usePersonName(collection.slug);
  if (!item) {
    return (
      <p className="text-muted">
        <Trans>You will be the author once this is saved.</Trans>
      </p>
    );
  }
  return (
    <>
      {canOwn ? (
        <Owner current={item.authorId} onGive={(id) => actions.give(id)} onRefused={onRefused} />
      ) : (
        <Facts>
          <Fact name={<Trans>Author</Trans>}>{personName(item.authorId)}</Fact>
        </Facts>
      )}
      {item.publishedAt !== null && canOwn && <PublicationDate />}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">
          <Trans>Created</Trans>
        </dt>
        <dd>{dateTime(item.createdAt)}</dd>
        <dt className="text-muted">
          <Trans>Updated</Trans>
        </dt>
        <dd>{dateTime(item.updatedAt)}</dd>
        {item.publishedAt !== null && !canOwn && (
          <>
            <dt className="text-muted">
              <Trans>Published</Trans>
            </dt>
            <dd>{siteTime(item.publishedAt)}</dd>
          </>
        )}
      </dl>
    </>
  );
}

function Owner({ current, onGive, onRefused }: { current: string | null; onGive: (id: string) => Promise<boolean>; onRefused: () => void }) {
  const { t } = useLingui();
  const { collection } = useSession();
  const source = useAuthorSource(collection.slug);
  const personName = usePersonName(collection.slug);
  // Whoever owns nothing else yet is not known by their id.
  const [given, setGiven] = useState<Option>();

  async function give(author: Option) {
    const name = author.label;
    setGiven(author);
    try {
      if (await onGive(author.id)) toast.good(t`Author changed to ${name}`);
      else onRefused();
    } catch (error) {
      toast.bad(error);
    }
  }

  return (
    <PickerField
      fieldLabel={<Trans>Author</Trans>}
      label={t`Choose an author`}
      placeholder={t`Nobody`}
      source={source}
      value={current === null ? null : given?.id === current ? given : { id: current, label: personName(current) }}
      onChange={(author) => author && author.id !== current && void give(author)}
    />
  );
}

/** What people are called, as far as they own entries. */
function usePersonName(collection: string): (id: string | null) => string {
  const { t } = useLingui();
  const me = useMe();
  const nameOf = useAuthorName(collection);
  return (id) => (id === null ? t`Nobody` : nameOf(id) || (id === me.id ? authorName(me) : t`Somebody`));
}

function PublicationDate() {
  const session = useSession();
  const value = useValue(PUBLISHED_AT);
  const [issue] = useIssues(PUBLISHED_AT);
  return (
    <div id={elementId(PUBLISHED_AT)}>
      <TypedDate
        label={<Trans>Publication date</Trans>}
        hint={<Trans>It changes on the site when you publish.</Trans>}
        error={issue && issueText(issue)}
        required
        value={value}
        // A published entry has a date.
        onChange={(value) => session.change({ [PUBLISHED_AT]: value ?? unread("") })}
      />
    </div>
  );
}
