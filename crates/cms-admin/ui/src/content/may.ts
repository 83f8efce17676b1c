// What whoever is signed in may do with entries.

import { useMemo } from "react";

import { useMe } from "~/session/session";

import { mayOf, type May } from "./rights";

export function useMay(): May {
  const { id, permissions } = useMe();
  return useMemo(() => mayOf(id, (permission) => permissions.includes(permission)), [id, permissions]);
}
