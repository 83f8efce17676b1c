// Who did something, as the audit log says it.

import { useLingui } from "@lingui/react/macro";

import type { AuditLine } from "~/api/types";

/** A person by their name, everything else by its kind. */
export function useActorName(): (line: AuditLine) => string {
  const { t } = useLingui();
  return ({ actor }) => {
    if (actor.id) return actor.name ?? actor.email ?? actor.label ?? actor.id;
    if (actor.kind === "system") return t`The system`;
    return actor.kind === "anonymous" ? t`Nobody signed in` : actor.kind;
  };
}
