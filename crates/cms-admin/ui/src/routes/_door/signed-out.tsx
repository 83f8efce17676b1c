// After signing out.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";

import { ButtonLink } from "~/components/Button";
import { DoorPage } from "~/door/DoorPage";
import { hasGateway, mode } from "~/door/queries";

export const Route = createFileRoute("/_door/signed-out")({ component: SignedOut });

function SignedOut() {
  const { t } = useLingui();
  const isBehindGateway = hasGateway(useQuery(mode).data);
  return (
    <DoorPage
      title={t`You are signed out`}
      description={
        isBehindGateway ? (
          <Trans>The gateway still knows you and would let you in again. Sign out there as well.</Trans>
        ) : (
          <Trans>On a shared computer, close this window as well.</Trans>
        )
      }
    >
      <ButtonLink to="/login" variant="primary" size="lg" wide autoFocus>
        <Trans>Sign in again</Trans>
      </ButtonLink>
    </DoorPage>
  );
}
