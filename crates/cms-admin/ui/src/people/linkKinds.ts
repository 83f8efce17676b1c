// What links are for, in words.

import { useLingui } from "@lingui/react/macro";

export function useLinkKind(): (kind: string) => string {
  const { t } = useLingui();
  const words: Record<string, string> = {
    magic_link: t`Sign-in link`,
    recovery: t`Sign-in link from an administrator`,
    email_change: t`Confirmation of a new e-mail address`,
    email_refusal: t`Link to stop a change of address`,
    sign_up: t`Sign-up link`,
  };
  return (kind) => words[kind] ?? kind;
}
