// Inviting somebody, and the link to hand over where there is no mail.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { RoleLevel } from "~/api/types";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { Notice } from "~/components/Notice";
import { OnceDialog } from "~/components/OnceDialog";
import { RoleField } from "~/components/RoleField";
import { toast } from "~/components/toast";

/** What people are invited as unless somebody chooses otherwise: an author. */
const USUAL_ROLE: RoleLevel = 30;

/** A link to hand over, and whom it is for. */
export interface Handed {
  email: string;
  url: string;
}

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [handed, setHanded] = useState<Handed>();
  const form = useForm({
    values: { email: "", role: USUAL_ROLE },
    submit: async ({ email, role }) => {
      const { inviteUrl } = await answer(api.POST("/auth/invite", { body: { email: email.trim(), role } }));
      await queries.invalidateQueries({ queryKey: ["invitations"] });
      if (inviteUrl) {
        setHanded({ email: email.trim(), url: inviteUrl });
      } else {
        toast.good(<Trans>The invitation is on its way.</Trans>);
        onClose();
      }
    },
  });
  if (handed) return <InviteLink handed={handed} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      locked={form.isSending}
      title={<Trans>Invite somebody</Trans>}
      description={<Trans>They choose their own passkey. The invitation works once, within seven days. An earlier one to the same address stops working.</Trans>}
    >
      <Form form={form}>
        <TextField label={<Trans>E-mail address</Trans>} type="email" dir="ltr" autoFocus autoComplete="off" {...form.field("email")} />
        <RoleField name="role" value={form.values.role} error={form.error("role")} onChange={(role) => form.set("role", role)} />
        <DialogActions>
          <Button onClick={onClose} disabled={form.isSending}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" pending={form.isSending}>
            <Trans>Invite</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** An invitation that no mail carries. */
export function InviteLink({ handed: { email, url }, onClose }: { handed: Handed; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <OnceDialog
      title={<Trans>Hand over the invitation</Trans>}
      label={t`Invitation link`}
      value={url}
      hint={t`Works once, within seven days. It is shown only now; “Resend” makes a new one.`}
      onClose={onClose}
    >
      <Notice>
        <Trans>
          No e-mail was sent. Give this link to <bdi>{email}</bdi> yourself, in a way that only they can read. Whoever opens it first has the account.
        </Trans>
      </Notice>
    </OnceDialog>
  );
}
