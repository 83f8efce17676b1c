// The places that whoever is signed in may go to.

import { useRouter } from "@tanstack/react-router";

import { useIsBehindGateway } from "~/session/gateway";
import { useCan } from "~/session/session";

import { PLACES, type Place } from "./places";

/** The places whose screens exist, that say something on this site, and whose permission the role has. */
export function usePlaces(): Place[] {
  const can = useCan();
  const isBehindGateway = useIsBehindGateway();
  const screens: object = useRouter().routesByPath;
  const exists = ({ to }: Place) => to in screens || `${to}/` in screens;
  return PLACES.filter((place) => exists(place) && !(isBehindGateway && place.waysIn) && (!place.permission || can(place.permission)));
}
