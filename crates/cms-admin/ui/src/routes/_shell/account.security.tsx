// How one gets in: passkeys, sign-in providers, and where one is signed in.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";

import { Connections } from "~/account/Connections";
import { Passkeys } from "~/account/Passkeys";
import { Sessions } from "~/account/Sessions";
import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { PageHeader } from "~/components/PageHeader";
import { linkError } from "~/door/loginErrors";
import { textOf } from "~/lib/search";
import { useIsBehindGateway } from "~/session/gateway";

interface Search {
  /** Why linking an account at a provider failed. */
  error?: string;
}

export const Route = createFileRoute("/_shell/account/security")({
  staticData: {
    place: { label: msg`Sign-in and security`, icon: ShieldCheck, group: "account", at: 20, key: "s", words: msg`passkeys sessions devices connections` },
  },
  validateSearch: (search: Record<string, unknown>): Search => textOf(search, "error"),
  component: Security,
});

function Security() {
  const { t, i18n } = useLingui();
  const { error } = Route.useSearch();
  const navigate = Route.useNavigate();
  const isBehindGateway = useIsBehindGateway();
  return (
    <>
      <PageHeader title={t`Sign-in and security`} description={<Trans>How you get in, and where you are signed in.</Trans>} />
      <div className="grid gap-6">
        {error && (
          <Notice
            tone="bad"
            action={
              <Button size="sm" onClick={() => void navigate({ search: {}, replace: true })}>
                <Trans>Dismiss</Trans>
              </Button>
            }
          >
            {i18n._(linkError(error))}
          </Notice>
        )}
        {isBehindGateway ? (
          <Notice title={<Trans>You get in through the gateway</Trans>}>
            <Trans>Passkeys and providers are not used as long as it is in front of this site. Yours are kept, and count again without it.</Trans>
          </Notice>
        ) : (
          <>
            <Passkeys />
            <Connections />
          </>
        )}
        <Sessions />
      </div>
    </>
  );
}
