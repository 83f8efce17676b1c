// Who did something, as the audit log says it.

import { useLingui } from "@lingui/react/macro";

import type { AuditLine } from "~/api/types";

/** A person by their name, everything else by its kind. */
export function useActorName(): (line: AuditLine) => string {
  const { t } = useLingui();
  return ({ actor: { kind, id, name, email, label } }) => {
    const known = name ?? email ?? label ?? id;
    if (known) return known;
    if (kind === "system") return t`The system`;
    return kind === "anonymous" ? t`Somebody who was not signed in` : kind;
  };
}
