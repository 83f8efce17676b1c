// How safe the account is: what is well, and what is worth doing.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, Unplug } from "lucide-react";
import type { ReactNode } from "react";

import { passkeys, sessions } from "~/account/queries";
import { messageOf } from "~/api/errors";
import { Badge } from "~/components/Badge";
import { Button, ButtonLink } from "~/components/Button";
import { Card } from "~/components/Card";
import { Skeleton } from "~/components/states";
import { hasMail, mode as modeQuery } from "~/door/queries";
import { useIsBehindGateway } from "~/session/gateway";
import { useCan, useMe } from "~/session/session";
import { usePlaces } from "~/shell/usePlaces";

import { ENOUGH_PASSKEYS } from "./security";

export function SecurityCard() {
  const { t } = useLingui();
  const me = useMe();
  const can = useCan();
  const mode = useQuery(modeQuery);
  const isBehindGateway = useIsBehindGateway();

  return (
    <Card title={t`Security`} id="security" description={<Trans>What keeps your account and this site safe.</Trans>} flush className="h-full">
      <ul className="divide-y divide-line border-t border-line">
        {isBehindGateway ? (
          <Row icon={<CircleCheck aria-hidden className="text-good" />} title={<Trans>Sign-in</Trans>} text={<Trans>You get in through the gateway.</Trans>} />
        ) : (
          <Passkeys />
        )}
        {/* Without mail nobody can confirm an address. */}
        {(me.emailVerified || hasMail(mode.data)) && (
          <Check
            query={{ data: me, error: null, refetch: () => undefined }}
            isGood={(me) => me.emailVerified}
            title={<Trans>E-mail address</Trans>}
            good={(me) => <Trans>{me.email} is confirmed.</Trans>}
            todo={(me) => <Trans>{me.email} is not confirmed yet.</Trans>}
            to="/account"
            action={<Trans>Confirm</Trans>}
          />
        )}
        {!isBehindGateway && <Browsers />}
        {can("users:invite") && !isBehindGateway && (
          <Check
            query={mode}
            isGood={hasMail}
            title={<Trans>E-mail of this site</Trans>}
            good={() => <Trans>The site can send invitations and sign-in links.</Trans>}
            todo={() => (
              <Trans>
                Not set up yet, so you hand over links yourself. Set <code className="font-mono text-sm">mail.url</code> in the configuration.
              </Trans>
            )}
          />
        )}
      </ul>
    </Card>
  );
}

function Passkeys() {
  return (
    <Check
      query={useQuery(passkeys)}
      isGood={({ items }) => items.length >= ENOUGH_PASSKEYS}
      title={<Trans>Passkeys</Trans>}
      good={({ items }) => <Plural value={items.length} one="You have # passkey." other="You have # passkeys." />}
      todo={({ items }) =>
        items.length === 0 ? (
          <Trans>You have none yet. A passkey is the safest way to sign in.</Trans>
        ) : (
          <Trans>You have one. Add a second one on another device, so that losing the first does not lock you out.</Trans>
        )
      }
      to="/account/security"
      action={<Trans>Add passkey</Trans>}
    />
  );
}

function Browsers() {
  return (
    <Check
      query={useQuery(sessions)}
      isGood={() => true}
      title={<Trans>Signed-in browsers</Trans>}
      good={({ items }) =>
        items.length <= 1 ? <Trans>Only this one.</Trans> : <Plural value={items.length} one="# browser, this one included." other="# browsers, this one included." />
      }
      todo={() => null}
      to="/account/security"
      action={<Trans>Review</Trans>}
      always
    />
  );
}

interface CheckProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  title: ReactNode;
  isGood: (data: Data) => boolean;
  good: (data: Data) => ReactNode;
  todo: (data: Data) => ReactNode;
  /** Where it can be changed. */
  to?: string;
  action?: ReactNode;
  /** Offers the action even where all is well. */
  always?: boolean;
}

function Check<Data>({ query, title, isGood, good, todo, to, action, always }: CheckProps<Data>) {
  const place = usePlaces().find((place) => place.to === to);
  const { data } = query;
  if (data === undefined && query.error) {
    return (
      <Row icon={<Unplug aria-hidden className="text-muted" />} title={title} text={messageOf(query.error)}>
        <Button size="sm" onClick={() => void query.refetch()}>
          <Trans>Try again</Trans>
        </Button>
      </Row>
    );
  }
  if (data === undefined) return <Row icon={<Skeleton className="size-5 rounded-full" />} title={title} text={<Skeleton className="mt-1 h-4 w-56 max-w-full" />} />;
  const isWell = isGood(data);
  return (
    <Row
      icon={isWell ? <CircleCheck aria-hidden className="text-good" /> : <CircleAlert aria-hidden className="text-warn" />}
      title={
        <>
          {title} {!isWell && (
            <Badge tone="warn">
              <Trans>Worth doing</Trans>
            </Badge>
          )}
        </>
      }
      text={isWell ? good(data) : todo(data)}
    >
      {place && (!isWell || always) && (
        <ButtonLink size="sm" to={place.to}>
          {action}
        </ButtonLink>
      )}
    </Row>
  );
}

function Row({ icon, title, text, children }: { icon: ReactNode; title: ReactNode; text: ReactNode; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
      <div className="flex min-w-0 grow basis-64 gap-3 [&>svg]:mt-px [&>svg]:size-5 [&>svg]:shrink-0">
        {icon}
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 font-medium">{title}</p>
          <div className="break-words text-muted">{text}</div>
        </div>
      </div>
      {children}
    </li>
  );
}
