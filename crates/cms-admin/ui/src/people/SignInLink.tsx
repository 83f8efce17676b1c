// A sign-in link that no mail carries.

import { Trans, useLingui } from "@lingui/react/macro";

import { Button } from "~/components/Button";
import { CopyField } from "~/components/CopyField";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Notice } from "~/components/Notice";

export function SignInLink({ name, link, onClose }: { name: string; link: string; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog open onOpenChange={onClose} role="alertdialog" size="md" title={<Trans>Hand over the sign-in link</Trans>}>
      <div className="grid gap-5">
        <Notice>
          <Trans>No e-mail was sent. Give this link to {name} yourself, in a way that only they can read. Whoever opens it is signed in as them.</Trans>
        </Notice>
        <CopyField label={t`Sign-in link`} value={link} hint={t`Good for fifteen minutes, once.`} />
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            <Trans>Done</Trans>
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
