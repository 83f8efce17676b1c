// The places that whoever is signed in may go to.

import { useRouter } from "@tanstack/react-router";

import { useCan } from "~/session/session";

import { PLACES, type Place } from "./places";

/** The places whose screens exist and whose permission the role has. */
export function usePlaces(): Place[] {
  const can = useCan();
  const screens: object = useRouter().routesByPath;
  return PLACES.filter((place) => (place.to in screens || `${place.to}/` in screens) && (!place.permission || can(place.permission)));
}
