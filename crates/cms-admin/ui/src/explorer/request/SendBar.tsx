// Sends what is filled in, says as whom, and stops it. What changes something asks first, once for each operation as long as the page is open.

import { Trans, useLingui } from "@lingui/react/macro";
import { Send, Square } from "lucide-react";
import { useState } from "react";

import { Button } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { useMe } from "~/session/session";

import { useTrial } from "../sending/trial";

/** What was asked about already. */
const asked = new Set<string>();

interface SendBarProps {
  /** What is sent: an operation or a tool. */
  id: string;
  /** Whether it changes something. */
  changes: boolean;
  isSending: boolean;
  isStream: boolean;
  /** Whether what is filled in can be sent; says what cannot. */
  check: () => boolean;
  onSend: () => void;
  onStop: () => void;
}

export function SendBar({ id, changes, isSending, isStream, check, onSend, onStop }: SendBarProps) {
  const { t } = useLingui();
  const trial = useTrial();
  const { name, email } = useMe();
  const [isAsking, setAsking] = useState(false);
  const who = name || email;

  function press() {
    if (!check()) return;
    if (changes && !asked.has(id)) setAsking(true);
    else onSend();
  }

  return (
    // It stays in view below a long form.
    <div className="sticky bottom-0 z-10 -mx-5 -mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-b-lg border-t border-line bg-surface px-5 py-3">
      {isSending ? (
        <Button icon={<Square />} onClick={onStop}>
          <Trans>Stop</Trans>
        </Button>
      ) : (
        <Button variant="primary" icon={<Send className="rtl:-scale-x-100" />} onClick={press}>
          {isStream ? <Trans>Open the stream</Trans> : <Trans>Send</Trans>}
        </Button>
      )}
      <p className="min-w-0 text-sm text-muted">
        {trial ? (
          <Trans>Sent with the token</Trans>
        ) : (
          <Trans>
            Sent as <bdi>{who}</bdi>
          </Trans>
        )}
      </p>
      {isAsking && (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title={<Trans>This changes your site</Trans>}
          description={t`The request runs on this site, not on a copy of it. You are asked once per operation.`}
          confirm={<Trans>Send</Trans>}
          onConfirm={() => {
            asked.add(id);
            onSend();
            return Promise.resolve();
          }}
        />
      )}
    </div>
  );
}
