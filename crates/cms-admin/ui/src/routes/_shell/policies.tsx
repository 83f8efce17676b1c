// What the configuration asks of ways in, tokens and grants, and whom that locks out. Nothing can be changed here: only whoever runs the server may.

import { msg } from "@lingui/core/macro";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { Scale } from "lucide-react";
import type { ReactNode } from "react";

import { answer, api } from "~/api/client";
import type { Policy } from "~/api/types";
import { Badge } from "~/components/Badge";
import { Card, Fact, Facts } from "~/components/Card";
import { Notice } from "~/components/Notice";
import { PageHeader } from "~/components/PageHeader";
import { Loaded } from "~/components/states";
import { useProviderName } from "~/door/queries";
import { useFormat } from "~/lib/format";
import { linkingProvider, policyWords } from "~/people/policies";
import { Needs } from "~/session/Needs";

const policies = queryOptions({ queryKey: ["policies"], queryFn: () => answer(api.GET("/admin/policies")) });

export const Route = createFileRoute("/_shell/policies")({
  staticData: {
    place: { label: msg`Policies`, icon: Scale, group: "access", at: 20, permission: "users:read", words: msg`rules settings security configuration lock out` },
  },
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  return (
    <Needs permission="users:read" title={t`Policies`}>
      <Policies />
    </Needs>
  );
}

function Policies() {
  const { t } = useLingui();
  const query = useQuery(policies);
  return (
    <>
      <PageHeader title={t`Policies`} description={<Trans>Security rules of this site, and whom they affect. They are set in the server’s configuration.</Trans>} />
      <Card flush>
        <Loaded query={query}>
          {({ items }) => (
            <ul aria-label={t`Policies`} className="divide-y divide-line">
              {items.map((policy) => (
                <One key={policy.setting} policy={policy} />
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
    </>
  );
}

function One({ policy }: { policy: Policy }) {
  const { t, i18n } = useLingui();
  const { duration } = useFormat();
  const label = useProviderName();
  const { setting, value, inForce, about } = policy;
  const words = policyWords(setting);
  const linked = linkingProvider(setting);
  const provider = linked && label(linked);
  const name = words ? i18n._(words.name) : provider ? t`No automatic linking of ${provider} accounts` : setting;
  return (
    <li className="grid gap-3 px-5 py-4.5">
      <div>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 className="font-semibold">{name}</h2>
          {inForce ? (
            <Badge tone="accent">
              <Trans>In force</Trans>
            </Badge>
          ) : (
            <Badge>
              <Trans>Not in force</Trans>
            </Badge>
          )}
        </div>
        <p className="mt-0.5 max-w-2xl text-muted">
          {words ? (
            i18n._(words.does)
          ) : provider ? (
            <Trans>An account there signs people in only after they have linked it themselves, even if it has the same e-mail address.</Trans>
          ) : (
            about
          )}
        </p>
      </div>
      <Facts>
        {typeof value !== "boolean" && <Fact name={<Trans>Value</Trans>}>{value === null ? <Trans>No limit</Trans> : duration(value)}</Fact>}
        <Fact name={<Trans>Setting</Trans>}>
          <code dir="ltr" className="font-mono text-sm break-all">
            {typeof value === "boolean" ? `${setting} = ${value}` : setting}
          </code>
        </Fact>
      </Facts>
      <Effect policy={policy} />
    </li>
  );
}

/** Whom it locks out, or would. Nothing where no one is concerned but for switches: there that is what people come to read. */
function Effect({ policy: { setting, value, inForce, locksOut } }: { policy: Policy }) {
  const { users, credentials } = locksOut;
  if (credentials > 0) {
    return (
      <Warning tone="warn" locksOut={locksOut}>
        {setting === "tokens.max_age" ? (
          <Plural value={credentials} one="# access token has stopped working because of this:" other="# access tokens have stopped working because of this:" />
        ) : (
          <Plural value={credentials} one="# connected application has stopped working because of this:" other="# connected applications have stopped working because of this:" />
        )}
      </Warning>
    );
  }
  if (typeof value !== "boolean") return null;
  if (users === 0) return <p className="text-sm text-muted">{inForce ? <Trans>Locks nobody out.</Trans> : <Trans>Would lock nobody out if it came into force.</Trans>}</p>;
  return (
    <Warning tone={inForce ? "bad" : "info"} locksOut={locksOut}>
      {inForce ? (
        <Plural value={users} one="Locks out # user now:" other="Locks out # users now:" />
      ) : (
        <Plural value={users} one="Would lock out # user if it came into force:" other="Would lock out # users if it came into force:" />
      )}
    </Warning>
  );
}

function Warning({ tone, locksOut: { users, emails }, children }: { tone: "info" | "warn" | "bad"; locksOut: Policy["locksOut"]; children: ReactNode }) {
  const more = users - emails.length;
  return (
    <Notice tone={tone} title={children}>
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5">
        {emails.map((email) => (
          <li key={email} className="break-all">
            <bdi dir="ltr">{email}</bdi>
          </li>
        ))}
        {more > 0 && (
          <li className="text-muted">
            <Plural value={more} one="and # more" other="and # more" />
          </li>
        )}
      </ul>
    </Notice>
  );
}
