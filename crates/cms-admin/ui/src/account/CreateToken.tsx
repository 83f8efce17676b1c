// Making an access token: what it is for, what it may do, how long. Its secret is shown once.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { Scope } from "~/api/types";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { SelectField, TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { Notice } from "~/components/Notice";
import { OnceDialog } from "~/components/OnceDialog";
import { ScopeChoice } from "~/components/ScopeChoice";
import { offeredScopes } from "~/session/scopes";
import { useMe } from "~/session/session";

import { tokens } from "./queries";

/** How long tokens can be made to last, in days; 0 for no end. */
const LIVES = [7, 30, 90, 365, 0];

/** Long enough to be useful, short enough that a forgotten one ends. */
const USUAL_LIFE = 30;

const DAY = 86_400_000;

export function CreateToken({ onClose }: { onClose: () => void }) {
  const [token, setToken] = useState<string>();
  if (token) return <Made token={token} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="md"
      title={<Trans>Create access token</Trans>}
      description={<Trans>For a program that acts for you. It can never do more than you can.</Trans>}
    >
      <Make onMade={setToken} onClose={onClose} />
    </Dialog>
  );
}

function Make({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { role, offeredScopes: offered } = useMe();
  const form = useForm({
    values: { name: "", scopes: ["content:read"] as Scope[], expiresAt: String(USUAL_LIFE) },
    check: ({ scopes }) => (scopes.length === 0 ? { scopes: t`Tick at least one.` } : {}),
    submit: async ({ name, scopes, expiresAt }) => {
      const days = Number(expiresAt);
      const end = days > 0 ? { expiresAt: new Date(Date.now() + days * DAY).toISOString() } : {};
      const { token } = await answer(api.POST("/admin/api-tokens", { body: { name: name.trim(), scopes, ...end } }));
      void queries.invalidateQueries(tokens);
      onMade(token);
    },
  });
  return (
    <Form form={form}>
      <TextField label={<Trans>Name</Trans>} hint={<Trans>What the program is, as in “Website build”.</Trans>} maxLength={100} autoFocus autoComplete="off" {...form.field("name")} />
      <SelectField label={<Trans>Ends</Trans>} {...form.field("expiresAt")}>
        {LIVES.map((days) => (
          <option key={days} value={days}>
            {days === 0 ? t`Never` : <Plural value={days} one="In # day" other="In # days" />}
          </option>
        ))}
      </SelectField>
      {form.values.expiresAt === "0" && (
        <Notice tone="warn">
          <Trans>A token that never expires works until you revoke it, even if somebody else gets hold of it.</Trans>
        </Notice>
      )}
      <ScopeChoice
        legend={<Trans>The program may</Trans>}
        name="scopes"
        choices={offeredScopes(offered).map(({ scope, leastRole }) => ({ scope, leastRole, allowed: leastRole <= role }))}
        value={form.values.scopes}
        onChange={(scopes) => form.set("scopes", scopes)}
        error={form.error("scopes")}
      />
      <DialogActions>
        <Button onClick={onClose} disabled={form.isSending}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" variant="primary" pending={form.isSending}>
          <Trans>Create token</Trans>
        </Button>
      </DialogActions>
    </Form>
  );
}

function Made({ token, onClose }: { token: string; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <OnceDialog title={<Trans>Your new token</Trans>} label={t`Token`} value={token} secret onClose={onClose}>
      <Notice tone="warn" title={<Trans>Copy it now</Trans>}>
        <Trans>It is shown only once. Nobody can look it up later, not even an administrator.</Trans>
      </Notice>
    </OnceDialog>
  );
}
