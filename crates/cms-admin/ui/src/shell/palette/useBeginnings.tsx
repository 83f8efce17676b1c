// What can be begun, on whatever screen that is done: by whoever may.

import { useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { Blocks, FilePlus, KeyRound, UserPlus } from "lucide-react";

import { useShownCollections } from "~/content/collections";
import { newEntryLink } from "~/content/links";
import { useIsBehindGateway } from "~/session/gateway";
import { useCan } from "~/session/session";

import type { Item } from "./sections";

export function useBeginnings(): Item[] {
  const { t } = useLingui();
  const navigate = useNavigate();
  const can = useCan();
  const isBehindGateway = useIsBehindGateway();
  const collections = useShownCollections();
  const begins = (id: string, label: string, words: string, icon: Item["icon"], run: () => void): Item => ({ id, group: "create", label, words, icon, isKept: true, run });
  const entries = collections.map(({ slug, label }) => begins(`new-${slug}`, t`New entry in ${label}`, t`create add write`, <FilePlus aria-hidden />, () => void navigate(newEntryLink(slug))));
  const invite = begins("invite", t`Invite somebody`, t`add new user person`, <UserPlus aria-hidden />, () => void navigate({ to: "/invitations", search: { new: "1" } }));
  const token = begins("token", t`Create access token`, t`api key new`, <KeyRound aria-hidden />, () => void navigate({ to: "/account/tokens", search: { new: "1" } }));
  const model = begins("new-collection", t`New collection`, t`create add content model type`, <Blocks aria-hidden />, () => void navigate({ to: "/model", search: { new: "1" } }));
  // First what there is one of: collections can be many.
  return [
    ...(can("content:create") ? entries.slice(0, FIRST) : []),
    ...(can("users:invite") && !isBehindGateway ? [invite] : []),
    ...(can("schema:manage") ? [model] : []),
    token,
    ...(can("content:create") ? entries.slice(FIRST) : []),
  ];
}

/** How many collections come before all else. */
const FIRST = 3;
