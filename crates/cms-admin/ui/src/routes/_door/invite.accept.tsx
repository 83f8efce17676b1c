// Accepting an invitation.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";

import { answer, api } from "~/api/client";
import { Or } from "~/door/DoorPage";
import { Join } from "~/door/Join";
import { Providers } from "~/door/Providers";
import { mode as modeQuery } from "~/door/queries";
import { useFragmentToken } from "~/door/useFragment";

export const Route = createFileRoute("/_door/invite/accept")({ component: AcceptInvitation });

function AcceptInvitation() {
  const { t } = useLingui();
  const token = useFragmentToken();
  const providers = useQuery(modeQuery).data?.providers ?? [];
  return (
    <Join
      title={t`Accept your invitation`}
      token={token}
      look={(token) => answer(api.POST("/auth/invite/accept", { body: { token } }))}
      ask={(body) => answer(api.POST("/auth/invite/register-options", { body }))}
      complete={(body) => answer(api.POST("/auth/invite/complete", { body }))}
      elsewhere={<Trans>Whoever invited you can send the invitation again.</Trans>}
      more={
        providers.length > 0 && (
          <>
            <Or>
              <Trans>or</Trans>
            </Or>
            <Providers providers={providers} invitation={token} />
          </>
        )
      }
    />
  );
}
