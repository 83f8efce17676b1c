// Letting an application in that asks in the browser (OAuth).

import { Trans, useLingui } from "@lingui/react/macro";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { AppWindow, ShieldQuestion } from "lucide-react";

import { answer, api } from "~/api/client";
import { messageOf } from "~/api/errors";
import type { AuthorizationRequest } from "~/api/types";
import { Asked, useAsked } from "~/applications/Asked";
import { Destination } from "~/applications/Destination";
import { SignedInAs } from "~/applications/SignedInAs";
import { ButtonLink } from "~/components/Button";
import { Fact, Facts } from "~/components/Card";
import { Notice } from "~/components/Notice";
import { Skeleton } from "~/components/states";
import { DoorPage } from "~/door/DoorPage";
import { DoorIcon } from "~/door/DoorIcon";
import { useSiteName } from "~/door/queries";
import { textOf } from "~/lib/search";
import { needSession } from "~/session/session";

const NAMES = ["client_id", "redirect_uri", "response_type", "code_challenge", "code_challenge_method", "state", "scope", "resource"] as const;

function describe(request: AuthorizationRequest) {
  return answer(api.GET("/oauth/authorize/request", { params: { query: request } }));
}

const description = (request: AuthorizationRequest) =>
  queryOptions({
    queryKey: ["authorize", request],
    queryFn: () => describe(request),
    staleTime: Infinity,
  });

export const Route = createFileRoute("/_door/authorize")({
  // The names are those of the protocol; values go on as they came.
  validateSearch: (search: Record<string, unknown>): AuthorizationRequest => ({ client_id: "", redirect_uri: "", ...textOf(search, ...NAMES) }),
  beforeLoad: needSession,
  component: Authorize,
});

function Authorize() {
  const { t } = useLingui();
  const request = Route.useSearch();
  const query = useQuery(description(request));
  if (query.data) return <Decide request={request} asked={query.data} />;
  if (query.isPending) {
    return (
      <DoorPage icon={<DoorIcon icon={<AppWindow />} />} title={t`An application asks for access`}>
        <div role="status" className="grid gap-4">
          <span className="sr-only">
            <Trans>Loading…</Trans>
          </span>
          <Skeleton className="h-14" />
          <Skeleton className="h-40" />
        </div>
      </DoorPage>
    );
  }
  return (
    <DoorPage
      icon={<DoorIcon icon={<ShieldQuestion />} />}
      title={t`This request cannot be answered`}
      description={<Trans>An application sent you here. Nothing was given to it.</Trans>}
    >
      <Notice tone="bad">{messageOf(query.error)}</Notice>
      <ButtonLink to="/" wide>
        <Trans>Go to the dashboard</Trans>
      </ButtonLink>
    </DoorPage>
  );
}

type Description = Awaited<ReturnType<typeof describe>>;

function Decide({ request, asked }: { request: AuthorizationRequest; asked: Description }) {
  const { t } = useLingui();
  const site = useSiteName();
  const { scopes, choices, set, hasWithheld, ask, problem, deciding } = useAsked(asked, async (action, scopes) => {
    const { redirect } = await answer(api.POST("/oauth/authorize", { body: { request, scopes, action } }));
    location.assign(redirect);
    // The buttons stay busy until the browser has left.
    await new Promise(() => undefined);
  });
  const name = asked.client.name;
  return (
    <DoorPage
      icon={<DoorIcon icon={<AppWindow />} />}
      title={t`${name} wants access to ${site}`}
      description={<Trans>It would act on your behalf. Continue only if you have just started this yourself.</Trans>}
    >
      <div className="rounded-md border border-line bg-sunken px-3.5 py-3">
        <Facts>
          <Fact name={<Trans>Sends you to</Trans>}>
            <Destination host={asked.redirectHost} />
          </Fact>
          {asked.resource && (
            <Fact name={<Trans>For</Trans>}>
              <bdi dir="ltr" className="break-all">
                {asked.resource}
              </bdi>
            </Fact>
          )}
        </Facts>
      </div>
      {asked.client.registered && (
        <Notice tone="warn" title={<Trans>This application registered itself</Trans>}>
          <Trans>Anyone can register one under any name, and no administrator has reviewed it. Check that it sends you where you expect.</Trans>
        </Notice>
      )}
      <Asked choices={choices} value={scopes} onChange={set} hasWithheld={hasWithheld} lasts={asked.lasts} problem={problem} deciding={deciding} onDecide={ask} />
      <SignedInAs />
    </DoorPage>
  );
}
