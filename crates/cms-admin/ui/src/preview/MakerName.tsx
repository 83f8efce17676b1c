// Who made a link: those who own entries of the collection are known to all who write in it, and others to those who see the accounts.

import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";

import { authorName, authors } from "~/content/authors";
import { useSession } from "~/editor/model/context";
import { PersonName } from "~/people/PersonName";
import { useCan, useMe } from "~/session/session";

export function MakerName({ id }: { id: string | null }) {
  const can = useCan();
  const me = useMe();
  const query = useQuery(authors(useSession().collection.slug));
  if (id === null) return <Trans>The operator of the server</Trans>;
  const known = query.data?.find((author) => author.id === id);
  if (known && id !== me.id) return <bdi>{authorName(known)}</bdi>;
  if (id === me.id || (can("users:read") && !query.isPending)) return <PersonName id={id} />;
  return <Trans>Somebody else</Trans>;
}
