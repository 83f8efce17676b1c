// The question who is there, before credentials change: whoever finds an open browser must not make themselves at home in it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound, Mail } from "lucide-react";
import { useState, type ReactNode } from "react";

import { isCode } from "~/api/errors";
import type { Provider } from "~/api/types";
import { Button, ButtonAnchor } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Notice } from "~/components/Notice";
import { isPasskeySupported, passkeyMessage } from "~/door/passkey";
import { ProviderButtons } from "~/door/Providers";
import { mode } from "~/door/queries";
import { useResend } from "~/door/useResend";

import { beginProof, proveByPasskey, sendProofLink, useProven } from "./proof";
import { useMe } from "./session";

/** How the server begins the name of a way that leads through a provider. */
const PROVIDER = "provider:";

interface ProveProps {
  /** The ways that this user has: `passkey`, `magicLink`, `provider:<id>`. */
  methods: string[];
  onProven: () => void;
  onGivenUp: () => void;
}

export function Prove({ methods, onProven, onGivenUp }: ProveProps) {
  const known = useQuery(mode).data?.providers ?? [];
  const providers = known.filter(({ id }) => methods.includes(PROVIDER + id));
  const hasPasskey = methods.includes("passkey") && isPasskeySupported();
  const hasLink = methods.includes("magicLink");
  const passkey = useMutation({
    mutationFn: proveByPasskey,
    onSuccess: onProven,
    // Without a session there is nothing to prove: what waits is sent again, which asks for a new one.
    onError: (error) => isCode(error, "NOT_AUTHENTICATED", "INVALID_TOKEN") && onProven(),
  });
  useProven(onProven);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onGivenUp()}
      role="alertdialog"
      locked={passkey.isPending}
      title={<Trans>Confirm that it’s you</Trans>}
      description={<Trans>You signed in a while ago, and this changes who can get in. Nothing you have entered is lost.</Trans>}
    >
      <div className="grid gap-2.5">
        {passkey.error && <Notice tone="bad">{passkeyMessage(passkey.error)}</Notice>}
        {!hasPasskey && !hasLink && providers.length === 0 && (
          <Notice tone="warn">
            <Trans>There is no way to confirm it here. Sign out, sign in again, and make your change within ten minutes.</Trans>
          </Notice>
        )}
        {hasPasskey && (
          <Button variant="primary" size="lg" wide autoFocus icon={<KeyRound />} pending={passkey.isPending} onClick={() => passkey.mutate()}>
            <Trans>Use a passkey</Trans>
          </Button>
        )}
        {hasLink && <ByLink />}
        {providers.length > 0 && <ByProvider providers={providers} />}
      </div>
      <DialogActions>
        <Button disabled={passkey.isPending} onClick={onGivenUp}>
          <Trans>Cancel</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function ByLink() {
  const { email } = useMe();
  const send = useMutation({ mutationFn: sendProofLink });
  if (send.isSuccess) return <LinkSent email={email} />;
  return (
    <>
      {send.error && <Failure error={send.error} />}
      <Button size="lg" wide icon={<Mail />} pending={send.isPending} onClick={() => send.mutate()}>
        <Trans>Email me a link</Trans>
      </Button>
    </>
  );
}

function LinkSent({ email }: { email: string }) {
  const { left, isPending, problem, again } = useResend(sendProofLink);
  return (
    <Waiting
      title={<Trans>Check your e-mail</Trans>}
      action={
        <Button size="sm" disabled={left > 0} pending={isPending} onClick={() => void again()}>
          {left > 0 ? <Trans>Send again in {left} s</Trans> : <Trans>Send again</Trans>}
        </Button>
      }
    >
      {problem ?? (
        <Trans>
          Open the link that we sent to <bdi className="font-medium">{email}</bdi> in this browser. This page then continues by itself.
        </Trans>
      )}
    </Waiting>
  );
}

/** The provider’s pages open in a window of their own, so that this one keeps what was typed. */
function ByProvider({ providers }: { providers: Provider[] }) {
  const { t } = useLingui();
  const [away, setAway] = useState<{ label: string; url?: string }>();

  async function begin({ id, label }: Provider, fields: Record<string, string>) {
    // Opened by the press itself: browsers block what opens later.
    const opened = window.open("about:blank", "_blank", "popup,width=560,height=720");
    try {
      const url = await beginProof(id, fields);
      opened?.location.replace(url);
      setAway(opened ? { label } : { label, url });
    } catch (error) {
      opened?.close();
      throw error;
    }
  }

  const label = away?.label;
  return (
    <>
      <ProviderButtons providers={providers} begin={begin} />
      {away && (
        <Waiting
          title={t`Continue at ${label}`}
          action={
            away.url && (
              <ButtonAnchor size="sm" href={away.url} target="_blank" rel="noopener">
                <Trans>Open {label}</Trans>
              </ButtonAnchor>
            )
          }
        >
          {away.url ? (
            <Trans>Your browser blocked the new window. Open it yourself; this page continues once you have signed in there.</Trans>
          ) : (
            <Trans>Sign in using the window that just opened. This page then continues by itself.</Trans>
          )}
        </Waiting>
      )}
    </>
  );
}

/** What this page waits for. It is read out when it appears. */
function Waiting({ title, action, children }: { title: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <div role="status">
      <Notice title={title} action={action}>
        {children}
      </Notice>
    </div>
  );
}

function Failure({ error }: { error: unknown }) {
  return <Notice tone="bad">{passkeyMessage(error)}</Notice>;
}
