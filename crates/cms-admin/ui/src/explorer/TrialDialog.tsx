// Making a token to try with: what it may. How long it lasts is not asked: an hour, or until the explorer is left.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";

import { tokens } from "~/account/queries";
import type { Scope } from "~/api/types";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { ScopeChoice } from "~/components/ScopeChoice";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { offeredScopes } from "~/session/scopes";
import { useMe } from "~/session/session";

import { beginTrial } from "./sending/trial";

export function TrialDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="md"
      title={<Trans>Try with a token</Trans>}
      description={<Trans>Requests are then sent as a program that can do no more than this. The token stays in this page, and is revoked when you leave it or after an hour.</Trans>}
    >
      <Make onClose={onClose} />
    </Dialog>
  );
}

function Make({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { role, offeredScopes: offered } = useMe();
  const form = useForm({
    values: { scopes: ["content:read"] as Scope[] },
    check: ({ scopes }) => (scopes.length === 0 ? { scopes: t`Tick at least one.` } : {}),
    submit: async ({ scopes }) => {
      await beginTrial(t`API explorer`, scopes);
      void queries.invalidateQueries(tokens);
      onClose();
    },
  });
  return (
    <Form form={form}>
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
