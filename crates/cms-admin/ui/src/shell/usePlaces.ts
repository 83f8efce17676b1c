// The places that whoever is signed in may go to.

import { useLingui } from "@lingui/react";

import { useShownCollections } from "~/content/collections";
import { collectionIcon } from "~/content/icons";
import { useIsBehindGateway } from "~/session/gateway";
import { useCan } from "~/session/session";

import { GROUPS, useScreens, type Place } from "./places";

/** A place, what it is called, and its address. */
export interface PlacedAt extends Omit<Place, "label"> {
  label: string;
  to: string;
}

/** Collections stand behind the screens of their group. */
const BEHIND = 100;

/** The places that say something on this site and whose permission the role has, in the order of the navigation. */
export function usePlaces(): PlacedAt[] {
  const { i18n } = useLingui();
  const can = useCan();
  const isBehindGateway = useIsBehindGateway();
  const collections = useShownCollections().map(({ slug, label, icon }, n): PlacedAt => ({ label, icon: collectionIcon(icon), group: "content", at: BEHIND + n, to: `/content/${slug}` }));
  const screens = useScreens();
  const rank = ({ group, at }: PlacedAt) => 100_000 * GROUPS.findIndex(({ id }) => id === group) + at;
  const own = screens
    .map(({ fullPath, place }): PlacedAt => ({ ...place, label: i18n._(place.label), to: fullPath.replace(/(.)\/$/, "$1") }))
    .filter(({ waysIn, permission }) => !(isBehindGateway && waysIn) && (!permission || can(permission)));
  return [...own, ...collections].sort((one, other) => rank(one) - rank(other));
}
