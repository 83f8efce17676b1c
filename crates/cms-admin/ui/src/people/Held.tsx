// Everything that opens the site to a person or to programs of theirs, each with a way to end it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { AppWindow, KeyRound, KeySquare, Link2, LogOut, Mail, MailPlus, Unlink } from "lucide-react";
import { useState, type ReactNode } from "react";

import { SessionRow, useDeviceName } from "~/account/SessionRow";
import { answer, api } from "~/api/client";
import type { AccessKind, UserAccess } from "~/api/types";
import { Badge } from "~/components/Badge";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { Notice } from "~/components/Notice";
import { Row, Rows } from "~/components/Rows";
import { ScopeList } from "~/components/ScopeChoice";
import { Loaded, SkeletonRows } from "~/components/states";
import { toast } from "~/components/toast";
import { useProviderName } from "~/door/queries";
import { useFormat } from "~/lib/format";
import { useIsBehindGateway } from "~/session/gateway";
import { roleName } from "~/session/roles";

import { useLinkKind } from "./linkKinds";
import { userAccess } from "./queries";

/** Something that is about to end, and the question before it. */
interface Ending {
  title: ReactNode;
  description: ReactNode;
  /** What the button says. */
  confirm: ReactNode;
  run: () => Promise<unknown>;
  /** What is said afterwards. */
  done: ReactNode;
}

/** Ends everything of some sorts. */
function endKinds(id: string, ...kinds: AccessKind[]) {
  return answer(api.POST("/admin/users/{id}/end-access", { params: { path: { id } }, body: { kinds } }));
}

type Ask = (ending: Ending) => void;

/** Of somebody who is suspended, what acts for them is kept and does nothing. */
export function Held({ id, isSuspended }: { id: string; isSuspended: boolean }) {
  const queries = useQueryClient();
  const query = useQuery(userAccess(id));
  const isBehindGateway = useIsBehindGateway();
  const [ending, ask] = useState<Ending>();
  return (
    <>
      <Loaded
        query={query}
        skeleton={
          <Card flush title={<Trans>What this person can use</Trans>}>
            <SkeletonRows rows={3} />
          </Card>
        }
      >
        {(access) => (
          <>
            {!isBehindGateway && <WaysIn id={id} access={access} ask={ask} />}
            {!isBehindGateway && <Sessions id={id} access={access} ask={ask} />}
            <Programs id={id} access={access} ask={ask} isSuspended={isSuspended} />
            <Links id={id} access={access} ask={ask} isSuspended={isSuspended} />
          </>
        )}
      </Loaded>
      {query.data && hasMore(query.data) && (
        <Notice>
          <Trans>There is more than can be listed here. “End all access” ends all of it.</Trans>
        </Notice>
      )}
      {ending && (
        <ConfirmDialog
          open
          onOpenChange={() => ask(undefined)}
          danger
          title={ending.title}
          description={ending.description}
          confirm={ending.confirm}
          onConfirm={async () => {
            await ending.run();
            await queries.invalidateQueries({ queryKey: ["users"] });
            toast.good(ending.done);
          }}
        />
      )}
    </>
  );
}

interface PartProps {
  id: string;
  access: UserAccess;
  ask: Ask;
}

type SleepingProps = PartProps & { isSuspended: boolean };

function WaysIn({ id, access: { passkeys, connections }, ask }: PartProps) {
  const { t } = useLingui();
  const { date } = useFormat();
  const label = useProviderName();
  const isEmpty = passkeys.items.length + connections.items.length === 0;
  return (
    <Card
      flush
      title={<Trans>Ways to sign in</Trans>}
      description={<Trans>Passkeys, and accounts at sign-in providers.</Trans>}
      actions={
        connections.items.length > 0 && (
          <Button
            icon={<Unlink />}
            onClick={() =>
              ask({
                title: <Trans>Unlink all providers?</Trans>,
                description: <Trans>This person can no longer sign in with them, until they link them again.</Trans>,
                confirm: <Trans>Unlink providers</Trans>,
                run: () => endKinds(id, "connections"),
                done: <Trans>The providers are unlinked.</Trans>,
              })
            }
          >
            <Trans>Unlink providers</Trans>
          </Button>
        )
      }
    >
      {isEmpty ? (
        <Nothing>
          <Trans>No passkeys registered, and no provider linked. Only a sign-in link gets this person in.</Trans>
        </Nothing>
      ) : (
        <Rows label={t`Ways to sign in`}>
          {passkeys.items.map(({ id: passkeyId, name, createdAt, lastUsedAt }) => (
            <Row
              key={passkeyId}
              icon={<KeyRound />}
              title={name}
              actions={
                <EndButton
                  label={t`Remove ${name}`}
                  onClick={() =>
                    ask({
                      title: <Trans>Remove the passkey “{name}”?</Trans>,
                      description: <Trans>It can no longer be used to sign in here. Browsers that are signed in stay signed in.</Trans>,
                      confirm: <Trans>Remove passkey</Trans>,
                      run: () => answer(api.DELETE("/admin/users/{id}/passkeys/{passkeyId}", { params: { path: { id, passkeyId } } })),
                      done: <Trans>The passkey is removed.</Trans>,
                    })
                  }
                >
                  <Trans>Remove</Trans>
                </EndButton>
              }
            >
              <Trans>Passkey</Trans> · <Trans>added {date(createdAt)}</Trans> · <LastUsed at={lastUsedAt} />
            </Row>
          ))}
          {connections.items.map(({ provider, email, name, createdAt, lastUsedAt }) => (
            <Row key={`${provider} ${createdAt}`} icon={<Link2 />} title={label(provider)}>
              <bdi>{email ?? name ?? <Trans>Sign-in provider</Trans>}</bdi> · <Trans>linked {date(createdAt)}</Trans> · <LastUsed at={lastUsedAt} />
            </Row>
          ))}
        </Rows>
      )}
    </Card>
  );
}

function Sessions({ id, access: { sessions }, ask }: PartProps) {
  const { t } = useLingui();
  const device = useDeviceName();
  return (
    <Card
      flush
      title={<Trans>Sessions</Trans>}
      description={<Trans>Where this person is signed in.</Trans>}
      actions={
        sessions.items.length > 1 && (
          <Button
            icon={<LogOut className="rtl:-scale-x-100" />}
            onClick={() =>
              ask({
                title: <Trans>Sign this person out everywhere?</Trans>,
                description: <Trans>They have to sign in again. Unsaved work may be lost.</Trans>,
                confirm: <Trans>Sign out everywhere</Trans>,
                run: () => answer(api.DELETE("/admin/users/{id}/sessions", { params: { path: { id } } })),
                done: <Trans>Signed out everywhere.</Trans>,
              })
            }
          >
            <Trans>Sign out everywhere</Trans>
          </Button>
        )
      }
    >
      {sessions.items.length === 0 ? (
        <Nothing>
          <Trans>Not signed in anywhere.</Trans>
        </Nothing>
      ) : (
        <Rows label={t`Sessions`}>
          {sessions.items.map((session) => {
            const name = device(session.userAgent);
            return (
              <SessionRow
                key={session.id}
                session={session}
                actions={
                  <EndButton
                    label={t`Sign out ${name}`}
                    onClick={() =>
                      ask({
                        title: <Trans>Sign out {name}?</Trans>,
                        description: session.current ? (
                          <Trans>This is the browser that you are using now.</Trans>
                        ) : (
                          <Trans>That browser has to sign in again. Unsaved work may be lost.</Trans>
                        ),
                        confirm: <Trans>Sign out</Trans>,
                        run: () => answer(api.DELETE("/admin/users/{id}/sessions/{sessionId}", { params: { path: { id, sessionId: session.id } } })),
                        done: <Trans>Signed out there.</Trans>,
                      })
                    }
                  >
                    <Trans>Sign out</Trans>
                  </EndButton>
                }
              />
            );
          })}
        </Rows>
      )}
    </Card>
  );
}

function Programs({ id, access: { tokens, grants }, ask, isSuspended }: SleepingProps) {
  const { t } = useLingui();
  const { date } = useFormat();
  return (
    <Card flush title={<Trans>Tokens and applications</Trans>} description={<Trans>Programs that act for this person.</Trans>}>
      {tokens.items.length + grants.items.length === 0 ? (
        <Nothing>
          <Trans>No program acts for this person.</Trans>
        </Nothing>
      ) : (
        <Rows label={t`Tokens and applications`}>
          {tokens.items.map(({ id: tokenId, name, scopes, lastUsedAt, expiresAt }) => (
            <Row
              key={tokenId}
              icon={<KeySquare />}
              title={name}
              badges={expiresAt && new Date(expiresAt) <= new Date() ? <Expired /> : isSuspended && <Paused />}
              actions={
                <EndButton
                  label={t`Revoke ${name}`}
                  onClick={() =>
                    ask({
                      title: <Trans>Revoke “{name}”?</Trans>,
                      description: <Trans>Programs that use it are refused at once. This cannot be undone.</Trans>,
                      confirm: <Trans>Revoke token</Trans>,
                      run: () => answer(api.DELETE("/admin/users/{id}/tokens/{tokenId}", { params: { path: { id, tokenId } } })),
                      done: <Trans>The token is revoked.</Trans>,
                    })
                  }
                >
                  <Trans>Revoke</Trans>
                </EndButton>
              }
            >
              <p>
                <Trans>Access token</Trans> · <LastUsed at={lastUsedAt} /> · {expiresAt ? <Trans>ends {date(expiresAt)}</Trans> : <Trans>never ends</Trans>}
              </p>
              <p>
                <Trans>
                  May: <ScopeList scopes={scopes} />
                </Trans>
              </p>
            </Row>
          ))}
          {grants.items.map(({ id: grantId, client: { name }, scopes, createdAt, lastUsedAt }) => (
            <Row
              key={grantId}
              icon={<AppWindow />}
              title={name}
              badges={isSuspended && <Paused />}
              actions={
                <EndButton
                  label={t`Disconnect ${name}`}
                  onClick={() =>
                    ask({
                      title: <Trans>Disconnect “{name}”?</Trans>,
                      description: <Trans>It is refused at once. To use it again, this person has to allow it again.</Trans>,
                      confirm: <Trans>Disconnect</Trans>,
                      run: () => answer(api.DELETE("/admin/users/{id}/grants/{grantId}", { params: { path: { id, grantId } } })),
                      done: <Trans>The application is disconnected.</Trans>,
                    })
                  }
                >
                  <Trans>Disconnect</Trans>
                </EndButton>
              }
            >
              <p>
                <Trans>Application</Trans> · <Trans>since {date(createdAt)}</Trans> · <LastUsed at={lastUsedAt} />
              </p>
              <p>
                <Trans>
                  May: <ScopeList scopes={scopes} />
                </Trans>
              </p>
            </Row>
          ))}
        </Rows>
      )}
    </Card>
  );
}

/** What is on its way to them, and what they sent to others. Nothing at all where there is none: most people have none. */
function Links({ id, access: { links, invitations }, ask, isSuspended }: SleepingProps) {
  const { t, i18n } = useLingui();
  const { dateTime } = useFormat();
  const kind = useLinkKind();
  if (links.items.length + invitations.items.length === 0) return null;
  return (
    <Card
      flush
      title={<Trans>Links and invitations</Trans>}
      description={<Trans>Links that nobody has used yet, and invitations that this person sent.</Trans>}
      actions={
        links.items.length > 0 && (
          <Button
            onClick={() =>
              ask({
                title: <Trans>End all unused links?</Trans>,
                description: <Trans>Sign-in links and other links that were sent to this person stop working. Invitations that they sent stay.</Trans>,
                confirm: <Trans>End links</Trans>,
                run: () => endKinds(id, "links", "emailChange"),
                done: <Trans>The links no longer work.</Trans>,
              })
            }
          >
            <Trans>End all unused links</Trans>
          </Button>
        )
      }
    >
      <Rows label={t`Links and invitations`}>
        {links.items.map((link) => (
          <Row key={link.id} icon={<Mail />} title={kind(link.kind)}>
            <Trans>works until {dateTime(link.expiresAt)}</Trans>
          </Row>
        ))}
        {invitations.items.map(({ id: invitation, email, role, expiresAt }) => (
          <Row
            key={invitation}
            icon={<MailPlus />}
            title={<bdi className="wrap-anywhere">{email}</bdi>}
            badges={
              <>
                <Badge tone="accent">{i18n._(roleName(role))}</Badge>
                {isSuspended && <Paused />}
              </>
            }
            actions={
              <EndButton
                label={t`Revoke the invitation of ${email}`}
                onClick={() =>
                  ask({
                    title: <Trans>Revoke the invitation?</Trans>,
                    description: (
                      <Trans>
                        The link that <bdi>{email}</bdi> was given stops working.
                      </Trans>
                    ),
                    confirm: <Trans>Revoke invitation</Trans>,
                    run: () => answer(api.DELETE("/auth/invites/{id}", { params: { path: { id: invitation } } })),
                    done: <Trans>The invitation is revoked.</Trans>,
                  })
                }
              >
                <Trans>Revoke</Trans>
              </EndButton>
            }
          >
            <Trans>Invitation</Trans> · <Trans>works until {dateTime(expiresAt)}</Trans>
          </Row>
        ))}
      </Rows>
    </Card>
  );
}

/** Whether anything is left out because there is so much of it. */
function hasMore({ sessions, passkeys, tokens, grants, connections, links, invitations }: UserAccess): boolean {
  return [sessions, passkeys, tokens, grants, connections, links, invitations].some(({ more }) => more);
}

function EndButton({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <Button size="sm" aria-label={label} onClick={onClick}>
      {children}
    </Button>
  );
}

function LastUsed({ at }: { at: string | null }) {
  const { relative } = useFormat();
  return at ? <Trans>last used {relative(at)}</Trans> : <Trans>not used yet</Trans>;
}

function Expired() {
  return (
    <Badge tone="neutral">
      <Trans>Ended</Trans>
    </Badge>
  );
}

function Paused() {
  return (
    <Badge tone="warn">
      <Trans>Paused</Trans>
    </Badge>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return <p className="border-t border-line px-5 py-4 text-muted">{children}</p>;
}
