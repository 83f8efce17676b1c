// A greeting at the first visit: who one is here, and what that role is for.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { Badge } from "~/components/Badge";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { useSiteName } from "~/door/queries";
import { roleCan, roleName } from "~/session/roles";
import { useIsBehindGateway } from "~/session/gateway";
import { me as meQuery, useCan, useMe } from "~/session/session";

export function Welcome() {
  const { i18n } = useLingui();
  const me = useMe();
  const isBehindGateway = useIsBehindGateway();
  const mayInvite = useCan()("users:invite") && !isBehindGateway;
  const site = useSiteName();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(me.isFirstLogin);
  const can = roleCan(me.role);
  const name = me.name?.trim().split(/\s+/)[0];

  async function close() {
    setOpen(false);
    try {
      // Whoever goes elsewhere at once has still seen it.
      await answer(api.POST("/auth/me", { body: { action: "dismissWelcome" }, keepalive: true }));
      await queries.invalidateQueries(meQuery);
    } catch {
      // It greets once more next time, which does no harm.
    }
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={() => void close()}
      title={name ? <Trans>Welcome, {name}</Trans> : <Trans>Welcome</Trans>}
      description={<Trans>You are signed in to {site}.</Trans>}
    >
      <div className="flex items-start gap-3 rounded-md border border-line bg-sunken p-3.5">
        <Badge tone="accent">{i18n._(roleName(me.role))}</Badge>
        <p>{can && i18n._(can)}</p>
      </div>
      {mayInvite && (
        <p className="mt-4 text-muted">
          <Trans>You can invite others under “Invitations”.</Trans>
        </p>
      )}
      <DialogActions>
        <Button variant="primary" onClick={() => void close()}>
          <Trans>Get started</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
