// What the palette does besides going somewhere: it begins something, on whatever screen that is done.

import { useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { FilePlus, KeyRound, UserPlus } from "lucide-react";
import { useShownCollections } from "~/content/collections";
import { newEntryLink } from "~/content/links";
import { useIsBehindGateway } from "~/session/gateway";
import { useCan } from "~/session/session";

import type { Command } from "./commands";

/** What whoever is signed in may begin. */
export function useActions(): Command[] {
  const { t } = useLingui();
  const navigate = useNavigate();
  const can = useCan();
  const isBehindGateway = useIsBehindGateway();
  const collections = useShownCollections();
  const entries = can("content:create")
    ? collections.map(({ slug, label }) => ({
        id: `new-${slug}`,
        label: t`New entry in ${label}`,
        words: t`create add write`,
        icon: <FilePlus aria-hidden />,
        run: () => void navigate(newEntryLink(slug)),
      }))
    : [];
  const invite = { id: "invite", label: t`Invite somebody`, words: t`add user person`, icon: <UserPlus aria-hidden />, run: () => void navigate({ to: "/invitations", search: { new: "1" } }) };
  const token = { id: "token", label: t`Create access token`, words: t`api key new`, icon: <KeyRound aria-hidden />, run: () => void navigate({ to: "/account/tokens", search: { new: "1" } }) };
  return [...entries, ...(can("users:invite") && !isBehindGateway ? [invite] : []), token];
}
