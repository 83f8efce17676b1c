// Whose entry it is, and what date it bears.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";

import { Fact, Facts } from "~/components/Card";
import { DateTimeField } from "~/components/DateTimeField";
import { SelectField } from "~/components/Field";
import { toast } from "~/components/toast";
import { useTimeZone } from "~/content/site";
import { useFormat } from "~/lib/format";
import { users } from "~/people/queries";
import { useCan, useMe } from "~/session/session";

import type { Actions } from "../model/actions";
import { useItem, useSession, useValue } from "../model/context";
import { PUBLISHED_AT } from "../model/values";
import { authors } from "../queries";
import { usePersonName } from "./History";

export function Ownership({ actions, canOwn, onRefused }: { actions: Actions; canOwn: boolean; onRefused: () => void }) {
  const item = useItem();
  const { collection } = useSession();
  const { dateTime } = useFormat();
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
            <dd>{dateTime(item.publishedAt)}</dd>
          </>
        )}
      </dl>
    </>
  );
}

function Owner({ current, onGive, onRefused }: { current: string | null; onGive: (id: string) => Promise<boolean>; onRefused: () => void }) {
  const { t } = useLingui();
  const me = useMe();
  const can = useCan();
  const { collection } = useSession();
  const known = useQuery(authors(collection.slug)).data ?? [];
  const everybody = useQuery({ ...users({}), enabled: can("users:read") }).data?.items ?? [];
  const people = new Map([...known, ...everybody, me].map(({ id, name, email }) => [id, name ?? email]));
  if (current !== null && !people.has(current)) people.set(current, t`Somebody`);

  async function give(id: string) {
    const name = people.get(id) ?? "";
    try {
      if (await onGive(id)) toast.good(t`Author changed to ${name}`);
      else onRefused();
    } catch (error) {
      toast.bad(error);
    }
  }

  return (
    <SelectField label={t`Author`} value={current ?? ""} onChange={(event) => event.target.value && void give(event.target.value)}>
      {current === null && <option value="">{t`Nobody`}</option>}
      {[...people].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function PublicationDate() {
  const zone = useTimeZone();
  const session = useSession();
  const value = useValue(PUBLISHED_AT);
  return (
    <DateTimeField
      kind="datetime"
      label={<Trans>Publication date</Trans>}
      hint={<Trans>It changes on the site when you publish.</Trans>}
      zone={zone}
      value={typeof value === "string" ? value : null}
      // A published entry has a date.
      onChange={(value) => value !== null && session.change({ [PUBLISHED_AT]: value })}
    />
  );
}
