// What whoever is signed in may do with entries.

import { useCan, useMe } from "~/session/session";

import { mayOf, type May } from "./rights";

export function useMay(): May {
  const can = useCan();
  const { id } = useMe();
  return mayOf(id, can);
}
