// The menu of an entry: the way to its editor, and what can be done with it.

import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { Ellipsis, SquarePen } from "lucide-react";

import type { AnyEntry } from "~/api/types";
import { IconButton } from "~/components/Button";
import { Menu, MenuItem } from "~/components/Menu";
import { Spinner } from "~/components/Spinner";
import { entryLink } from "~/content/links";
import { useRowTab } from "~/table/RowLink";

import { usePlanner } from "./planner";
import { useOfferWords } from "./useOfferWords";

export function PlanMenu({ entry }: { entry: AnyEntry }) {
  const { t } = useLingui();
  const { offers, choose, visit, isBusy, nameOf } = usePlanner();
  const tab = useRowTab();
  const words = useOfferWords();
  const name = nameOf(entry);
  return (
    <Menu trigger={<IconButton size="sm" data-control="menu" {...tab} label={t`Actions for ${name}`} icon={isBusy(entry) ? <Spinner /> : <Ellipsis />} />}>
      <MenuItem asChild>
        <Link {...entryLink(entry.type, entry.id)} onClick={() => visit(entry)}>
          <SquarePen />
          <Trans>Open</Trans>
        </Link>
      </MenuItem>
      {offers(entry).map((offer) => {
        const { label, icon } = words(entry, offer);
        return (
          <MenuItem key={offer} icon={icon} onSelect={() => choose(entry, offer)}>
            {label}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
