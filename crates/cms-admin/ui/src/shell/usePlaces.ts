// The places that whoever is signed in may go to.

import { useRouter, type StaticDataRouteOption } from "@tanstack/react-router";

import { useIsBehindGateway } from "~/session/gateway";
import { useCan } from "~/session/session";

import { GROUPS, type Place } from "./places";

/** A place, and its address. */
export interface PlacedAt extends Place {
  to: string;
}

/** What of a route is of use here. */
interface Screen {
  fullPath: string;
  options: { staticData?: StaticDataRouteOption };
}

/** The places that say something on this site and whose permission the role has, in the order of the navigation. */
export function usePlaces(): PlacedAt[] {
  const can = useCan();
  const isBehindGateway = useIsBehindGateway();
  const screens = Object.values(useRouter().routesById) as Screen[];
  const rank = ({ group, at }: Place) => 1000 * GROUPS.findIndex(({ id }) => id === group) + at;
  return screens
    .flatMap(({ fullPath, options }) => (options.staticData?.place ? [{ ...options.staticData.place, to: fullPath.replace(/(.)\/$/, "$1") }] : []))
    .filter(({ waysIn, permission }) => !(isBehindGateway && waysIn) && (!permission || can(permission)))
    .sort((one, other) => rank(one) - rank(other));
}
