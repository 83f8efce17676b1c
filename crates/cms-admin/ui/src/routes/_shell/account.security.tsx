// How one gets in: passkeys, sign-in providers, and where one is signed in.

import { Trans, useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";

import { Connections } from "~/account/Connections";
import { Passkeys } from "~/account/Passkeys";
import { Sessions } from "~/account/Sessions";
import { PageHeader } from "~/components/PageHeader";

export const Route = createFileRoute("/_shell/account/security")({ component: Security });

function Security() {
  const { t } = useLingui();
  return (
    <>
      <PageHeader title={t`Sign-in and security`} description={<Trans>How you get in, and where you are signed in.</Trans>} />
      <div className="grid gap-6">
      <Passkeys />
      <Connections />
      <Sessions />
      </div>
    </>
  );
}
