// Whether somebody can get in: helping them back in, suspending them for a while, and ending all that they hold for good.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Ban, LifeBuoy, ShieldX, UserCheck } from "lucide-react";
import { useState, type ReactNode } from "react";

import { answer, api } from "~/api/client";
import type { UserAccess, UserDetails } from "~/api/types";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { Checkbox } from "~/components/Field";
import { Row, Rows } from "~/components/Rows";
import { toast } from "~/components/toast";
import { useIsBehindGateway } from "~/session/gateway";
import { useMe } from "~/session/session";

import { userAccess } from "./queries";
import { SignInLink } from "./SignInLink";

type Asked = "suspend" | "reactivate" | "end";

export function Standing({ person }: { person: UserDetails }) {
  const { t } = useLingui();
  const { id: own } = useMe();
  const isBehindGateway = useIsBehindGateway();
  const [asked, setAsked] = useState<Asked>();
  const { id, disabled } = person;
  const isOwn = id === own;
  const close = () => setAsked(undefined);
  return (
    <Card flush title={<Trans>Access</Trans>}>
      <Rows label={t`Access`}>
        {!isBehindGateway && <Recovery person={person} />}
        {disabled ? (
          <Row
            icon={<UserCheck />}
            title={<Trans>Reactivate the account</Trans>}
            actions={
              <Button onClick={() => setAsked("reactivate")}>
                <Trans>Reactivate…</Trans>
              </Button>
            }
          >
            <Trans>This person can sign in again. You decide whether their tokens, applications and invitations come back.</Trans>
          </Row>
        ) : (
          <Row
            icon={<Ban />}
            title={<Trans>Suspend the account</Trans>}
            actions={
              <Button disabled={isOwn} onClick={() => setAsked("suspend")}>
                <Trans>Suspend…</Trans>
              </Button>
            }
          >
            {isOwn ? <Trans>You cannot suspend yourself.</Trans> : <Trans>Locks this person out for now. You can reactivate the account later.</Trans>}
          </Row>
        )}
        <Row
          icon={<ShieldX />}
          title={<Trans>End all access</Trans>}
          actions={
            <Button disabled={isOwn} onClick={() => setAsked("end")}>
              <Trans>End all access…</Trans>
            </Button>
          }
        >
          {isOwn ? (
            <Trans>You cannot end your own access here. Use “Sign-in and security”.</Trans>
          ) : (
            <Trans>For somebody who leaves: removes every way in and every program for good. What they wrote stays.</Trans>
          )}
        </Row>
      </Rows>
      {asked === "suspend" && <Suspend person={person} onClose={close} />}
      {asked === "reactivate" && <Reactivate person={person} onClose={close} />}
      {asked === "end" && <EndAll person={person} onClose={close} />}
    </Card>
  );
}

function Recovery({ person: { id, name, email, disabled } }: { person: UserDetails }) {
  const [link, setLink] = useState<string>();
  const recover = useMutation({
    mutationFn: () => answer(api.POST("/admin/users/{id}/send-recovery", { params: { path: { id } } })),
    onSuccess: ({ recoveryUrl }) => {
      if (recoveryUrl) setLink(recoveryUrl);
      else toast.good(<Trans>The sign-in link is on its way.</Trans>);
    },
    onError: toast.bad,
  });
  return (
    <Row
      icon={<LifeBuoy />}
      title={<Trans>Recovery</Trans>}
      actions={
        <Button disabled={disabled} pending={recover.isPending} onClick={() => recover.mutate()}>
          <Trans>Send sign-in link</Trans>
        </Button>
      }
    >
      <Trans>For somebody who lost their passkeys: a link that signs them in once, within ten minutes.</Trans>
      {link && <SignInLink name={name ?? email} link={link} onClose={() => setLink(undefined)} />}
    </Row>
  );
}

interface QuestionProps {
  person: UserDetails;
  onClose: () => void;
}

/** Everything about people is asked for anew after what changes much of it. */
function useRenew() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ["users"] });
}

function suspend(id: string) {
  return answer(api.POST("/admin/users/{id}/disable", { params: { path: { id } } }));
}

function Suspend({ person: { id, name, email }, onClose }: QuestionProps) {
  const renew = useRenew();
  const shown = name ?? email;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      danger
      title={<Trans>Suspend {shown}?</Trans>}
      description={<Trans>They are signed out everywhere at once, and cannot sign in again until somebody reactivates the account.</Trans>}
      confirm={<Trans>Suspend account</Trans>}
      onConfirm={async () => {
        await suspend(id);
        await renew();
        toast.good(<Trans>The account is suspended.</Trans>);
      }}
    >
      <Points>
        <li>
          <Trans>Pending sign-in links and changes of address end.</Trans>
        </li>
        <li>
          <Trans>Access tokens, applications and open invitations stop working, and can come back with the account.</Trans>
        </li>
        <li>
          <Trans>Passkeys, and what they wrote, stay.</Trans>
        </li>
      </Points>
    </ConfirmDialog>
  );
}

function Reactivate({ person: { id, name, email }, onClose }: QuestionProps) {
  const renew = useRenew();
  const access = useQuery(userAccess(id)).data;
  const [isRestored, setRestored] = useState(false);
  const shown = name ?? email;
  const asleep = access && access.tokens.items.length + access.grants.items.length + access.invitations.items.length;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={<Trans>Reactivate {shown}?</Trans>}
      description={<Trans>They can sign in again with their passkeys and providers, and have to do so on every device.</Trans>}
      confirm={<Trans>Reactivate account</Trans>}
      onConfirm={async () => {
        await answer(api.POST("/admin/users/{id}/enable", { params: { path: { id } }, body: { restoreAccess: isRestored } }));
        await renew();
        toast.good(<Trans>The account is active again.</Trans>);
      }}
    >
      {asleep !== 0 && (
        <div className="grid gap-3">
          {access && <Counts of={["tokens", "grants", "invitations"]} access={access} />}
          <Checkbox
            label={<Trans>Let these work again</Trans>}
            hint={<Trans>If you leave this unticked, they are ended for good.</Trans>}
            checked={isRestored}
            onChange={(event) => setRestored(event.target.checked)}
          />
        </div>
      )}
    </ConfirmDialog>
  );
}

function EndAll({ person: { id, name, email, disabled }, onClose }: QuestionProps) {
  const renew = useRenew();
  const access = useQuery(userAccess(id)).data;
  const isBehindGateway = useIsBehindGateway();
  const [isSuspended, setSuspended] = useState(true);
  const shown = name ?? email;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      danger
      title={<Trans>End all access for {shown}?</Trans>}
      description={<Trans>These end at once and for good. The account stays, and so does everything they wrote.</Trans>}
      confirm={<Trans>End all access</Trans>}
      onConfirm={async () => {
        // First of all, so that nothing new comes up meanwhile.
        if (!disabled && isSuspended) await suspend(id);
        await answer(api.POST("/admin/users/{id}/end-access", { params: { path: { id } }, body: {} }));
        await renew();
        toast.good(<Trans>All access for {shown} has ended.</Trans>);
      }}
    >
      <div className="grid gap-4">
        {access && <Counts of={["sessions", "passkeys", "connections", "tokens", "grants", "links", "invitations", "previews"]} access={access} />}
        {!disabled && (
          <Checkbox
            label={<Trans>Also suspend the account</Trans>}
            hint={
              isBehindGateway ? (
                <Trans>Otherwise they can come back through the gateway.</Trans>
              ) : (
                <Trans>Otherwise they can come back with a sign-in link by e-mail.</Trans>
              )
            }
            checked={isSuspended}
            onChange={(event) => setSuspended(event.target.checked)}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}

type Kind = "sessions" | "passkeys" | "connections" | "tokens" | "grants" | "links" | "invitations" | "previews";

/** How much of some kinds somebody holds. */
function Counts({ of, access }: { of: Kind[]; access: UserAccess }) {
  const lines: Record<Kind, (count: number) => ReactNode> = {
    sessions: (count) => <Plural value={count} one="# session" other="# sessions" />,
    passkeys: (count) => <Plural value={count} one="# passkey" other="# passkeys" />,
    connections: (count) => <Plural value={count} one="# linked provider" other="# linked providers" />,
    tokens: (count) => <Plural value={count} one="# access token" other="# access tokens" />,
    grants: (count) => <Plural value={count} one="# connected application" other="# connected applications" />,
    links: (count) => <Plural value={count} one="# unused link" other="# unused links" />,
    invitations: (count) => <Plural value={count} one="# open invitation to somebody else" other="# open invitations to others" />,
    previews: (count) => <Plural value={count} one="# preview link" other="# preview links" />,
  };
  const held = of.filter((kind) => access[kind].items.length > 0);
  if (held.length === 0) {
    return (
      <p className="text-muted">
        <Trans>There is nothing left to end.</Trans>
      </p>
    );
  }
  return (
    <Points>
      {held.map((kind) => (
        <li key={kind}>{lines[kind](access[kind].items.length)}</li>
      ))}
    </Points>
  );
}

function Points({ children }: { children: ReactNode }) {
  return <ul className="list-disc space-y-1 ps-5 marker:text-faint">{children}</ul>;
}
