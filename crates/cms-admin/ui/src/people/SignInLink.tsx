// A sign-in link that no mail carries.

import { Trans, useLingui } from "@lingui/react/macro";

import { Notice } from "~/components/Notice";
import { OnceDialog } from "~/components/OnceDialog";

export function SignInLink({ name, link, onClose }: { name: string; link: string; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <OnceDialog title={<Trans>Hand over the sign-in link</Trans>} label={t`Sign-in link`} value={link} hint={t`Works once, within ten minutes.`} onClose={onClose}>
      <Notice>
        <Trans>No e-mail was sent. Give this link to {name} yourself, in a way that only they can read. Whoever opens it is signed in as them.</Trans>
      </Notice>
    </OnceDialog>
  );
}
