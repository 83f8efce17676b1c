// Where a proof of who is there comes back to: from a letter, whose link a button uses, and from a provider. The window that waits for it goes on by itself.

import { Trans, useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";
import { CircleCheck, CircleX, ShieldCheck } from "lucide-react";
import { useEffect, useState } from "react";

import { ApiError, isCode, messageOf } from "~/api/errors";
import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { DoorIcon } from "~/door/DoorIcon";
import { DoorPage } from "~/door/DoorPage";
import { BadLink } from "~/door/Join";
import { loginError } from "~/door/loginErrors";
import { useFragmentToken } from "~/door/useFragment";
import { textOf } from "~/lib/search";
import { proveByLink, tellProven } from "~/session/proof";

interface Search {
  /** Why it did not work at the provider. */
  error?: string;
}

export const Route = createFileRoute("/_door/reauth")({
  validateSearch: (search: Record<string, unknown>): Search => textOf(search, "error"),
  component: Proof,
});

function Proof() {
  const token = useFragmentToken();
  const { error } = Route.useSearch();
  const [isProven, setProven] = useState(false);
  if (error) return <Refused code={error} />;
  return token && !isProven ? <ByLink token={token} onProven={() => setProven(true)} /> : <Proven />;
}

function ByLink({ token, onProven }: { token: string; onProven: () => void }) {
  const { t } = useLingui();
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();

  async function prove() {
    setPending(true);
    setError(undefined);
    try {
      await proveByLink(token);
      onProven();
    } catch (error) {
      setError(error);
      setPending(false);
    }
  }

  const isElsewhere = isCode(error, "NOT_AUTHENTICATED", "INVALID_TOKEN", "PROOF_REJECTED");
  if (error instanceof ApiError && !error.isPassing && !isElsewhere) {
    return (
      <BadLink error={error}>
        <Trans>Go back to the page that asked, and have another link sent.</Trans>
      </BadLink>
    );
  }
  return (
    <DoorPage
      icon={<DoorIcon icon={<ShieldCheck />} />}
      title={t`Confirm that it’s you`}
      description={<Trans>Press the button only if you have just asked for this link yourself.</Trans>}
    >
      {error !== undefined && (
        <Notice tone="bad">{isElsewhere ? <Trans>You did not ask for this link in this browser. Open it in the one where you did.</Trans> : messageOf(error)}</Notice>
      )}
      <Button variant="primary" size="lg" wide autoFocus icon={<ShieldCheck />} pending={isPending} onClick={() => void prove()}>
        <Trans>It’s me</Trans>
      </Button>
    </DoorPage>
  );
}

function Proven() {
  const { t } = useLingui();
  useEffect(() => {
    tellProven();
    // A window that a script opened closes; a tab that came from a letter stays and says what to do.
    window.close();
  }, []);
  return (
    <DoorPage
      icon={<DoorIcon tone="good" icon={<CircleCheck />} />}
      title={t`Thank you, that’s confirmed`}
      description={<Trans>The page where you started has continued. You can close this one.</Trans>}
    />
  );
}

function Refused({ code }: { code: string }) {
  const { t, i18n } = useLingui();
  return (
    <DoorPage icon={<DoorIcon icon={<CircleX />} />} title={t`This did not work`} description={<Trans>Close this page, go back to where you started, and try again.</Trans>}>
      <Notice tone="bad">{i18n._(loginError(code))}</Notice>
    </DoorPage>
  );
}
