// A session in words: which browser, since when, from where.

import { Trans, useLingui } from "@lingui/react/macro";
import { Monitor, Smartphone } from "lucide-react";
import type { ReactNode } from "react";

import type { Session } from "~/api/types";
import { Badge } from "~/components/Badge";
import { Row } from "~/components/Rows";
import { useProviderName } from "~/door/queries";
import { useFormat } from "~/lib/format";

import { deviceOf } from "./device";

/** What a session's browser is called. */
export function useDeviceName(): (agent: string | null | undefined) => string {
  const { t } = useLingui();
  return (agent) => {
    const { browser, system } = deviceOf(agent ?? "");
    return browser && system ? t`${browser} on ${system}` : (browser ?? system ?? t`Unknown browser`);
  };
}

/** How the server begins the name of a way in that leads through a provider. */
const PROVIDER = "provider:";

/** How somebody signed in. */
function useMethod(): (method: string) => string {
  const { t } = useLingui();
  const label = useProviderName();
  return (method) => {
    if (method.startsWith(PROVIDER)) {
      const provider = label(method.slice(PROVIDER.length));
      return t`signed in with ${provider}`;
    }
    const words: Record<string, string> = {
      passkey: t`signed in with a passkey`,
      magic_link: t`signed in with an e-mail link`,
      recovery: t`signed in with a recovery link`,
      invitation: t`by invitation`,
      sign_up: t`signed up`,
      setup: t`set up the site`,
    };
    return words[method] ?? method;
  };
}

export function SessionRow({ session, actions }: { session: Session; actions?: ReactNode }) {
  const { relative, dateTime } = useFormat();
  const name = useDeviceName();
  const method = useMethod();
  const { isPhone } = deviceOf(session.userAgent ?? "");
  return (
    <Row
      icon={isPhone ? <Smartphone /> : <Monitor />}
      title={name(session.userAgent)}
      badges={
        session.current && (
          <Badge tone="good">
            <Trans>This browser</Trans>
          </Badge>
        )
      }
      actions={actions}
    >
      <span title={dateTime(session.lastUsedAt)}>
        <Trans>active {relative(session.lastUsedAt)}</Trans>
      </span>
      {session.address && (
        <>
          {" · "}
          <bdi>{session.address}</bdi>
        </>
      )}
      {" · "}
      {method(session.method)} <span title={dateTime(session.createdAt)}>{relative(session.createdAt)}</span>
    </Row>
  );
}
