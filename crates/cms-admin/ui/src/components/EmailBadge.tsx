// Whether somebody who reads mail to an address confirmed it.

import { Trans } from "@lingui/react/macro";

import { Badge } from "./Badge";

export function EmailBadge({ verified }: { verified: boolean }) {
  return verified ? (
    <Badge tone="good">
      <Trans>Confirmed</Trans>
    </Badge>
  ) : (
    <Badge tone="warn">
      <Trans>Not confirmed</Trans>
    </Badge>
  );
}
