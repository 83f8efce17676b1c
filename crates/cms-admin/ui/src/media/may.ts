// What whoever is signed in may do in the library.

import { useMemo } from "react";

import { useMe } from "~/session/session";

import { mayOf, type May } from "./rights";

export function useMay(): May {
  const { id, permissions } = useMe();
  return useMemo(() => mayOf(id, permissions), [id, permissions]);
}
