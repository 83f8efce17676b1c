// Taking back some of what an application may do.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { Grant } from "~/api/types";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { ScopeChoice } from "~/components/ScopeChoice";
import { toast } from "~/components/toast";
import { byHarm, scopeWords } from "~/session/scopes";

import { grants } from "./queries";

export function NarrowDialog({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const name = grant.client.name;
  const choices = grant.scopes.map((scope) => ({ scope, allowed: true, leastRole: scopeWords(scope)?.leastRole ?? 0 }));
  const form = useForm({
    values: { scopes: grant.scopes },
    check: ({ scopes }) => (scopes.length === 0 ? { scopes: t`Tick at least one, or disconnect the application.` } : {}),
    submit: async ({ scopes }) => {
      await answer(api.PATCH("/oauth/grants/{id}", { params: { path: { id: grant.id } }, body: { scopes } }));
      await queries.invalidateQueries(grants);
      toast.good(<Trans>The application may do less from now on.</Trans>);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="md"
      locked={form.isSending}
      title={<Trans>What “{name}” may do</Trans>}
      description={<Trans>What you untick ends at once. To get it back, the application has to ask you again.</Trans>}
    >
      <Form form={form}>
        <ScopeChoice
          legend={<Trans>It may</Trans>}
          name="scopes"
          choices={byHarm(choices)}
          value={form.values.scopes}
          onChange={(scopes) => form.set("scopes", scopes)}
          error={form.error("scopes")}
        />
        <DialogActions>
          <Button onClick={onClose} disabled={form.isSending}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" pending={form.isSending} disabled={form.values.scopes.length === grant.scopes.length}>
            <Trans>Save</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
