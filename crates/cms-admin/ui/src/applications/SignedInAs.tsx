// Whose account a decision is about.

import { Trans, useLingui } from "@lingui/react/macro";

import { roleName } from "~/session/roles";
import { useMe } from "~/session/session";

export function SignedInAs() {
  const { i18n } = useLingui();
  const { name, email, role } = useMe();
  const shown = name ?? email;
  const roleWord = i18n._(roleName(role));
  return (
    <p className="border-t border-line pt-4 text-center text-sm text-muted">
      <Trans>
        Signed in as <strong className="font-medium text-ink">{shown}</strong> ({roleWord})
      </Trans>
    </p>
  );
}
