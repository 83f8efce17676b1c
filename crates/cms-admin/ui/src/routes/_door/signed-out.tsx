// After signing out.

import { Trans, useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";

import { ButtonLink } from "~/components/Button";
import { DoorPage } from "~/door/DoorPage";

export const Route = createFileRoute("/_door/signed-out")({ component: SignedOut });

function SignedOut() {
  const { t } = useLingui();
  return (
    <DoorPage title={t`You are signed out`} description={<Trans>On a shared computer, close this window as well.</Trans>}>
      <ButtonLink to="/login" variant="primary" size="lg" wide autoFocus>
        <Trans>Sign in again</Trans>
      </ButtonLink>
    </DoorPage>
  );
}
