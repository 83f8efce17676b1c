// Who did something, as the audit log says it.

import { useLingui } from "@lingui/react/macro";

import type { AuditLine } from "~/api/types";

/** A person by their name, everything else by its kind. */
export function useActorName(): (line: AuditLine) => string {
  const { t } = useLingui();
  return ({ actor, actorKind }) => {
    if (actor) return actor.name ?? actor.email ?? actor.id;
    if (actorKind === "system") return t`The system`;
    return actorKind === "anonymous" ? t`Nobody signed in` : actorKind;
  };
}
