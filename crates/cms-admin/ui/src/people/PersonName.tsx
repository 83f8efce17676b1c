// Somebody's name, where only their id is known.

import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";

import { Skeleton } from "~/components/states";
import { useMe } from "~/session/session";

import { user } from "./queries";

export function PersonName({ id }: { id: string }) {
  const { id: own } = useMe();
  const query = useQuery({ ...user(id), enabled: id !== own });
  if (id === own) return <Trans>You</Trans>;
  if (query.isPending) return <Skeleton className="h-4 w-24" />;
  return query.data?.item.name ?? query.data?.item.email ?? "–";
}
