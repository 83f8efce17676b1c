// Making and changing an application that may ask people for access.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { OAuthClient, Scope } from "~/api/types";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Checkbox, TextArea, TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { ScopeChoice } from "~/components/ScopeChoice";
import { toast } from "~/components/toast";
import { offeredScopes } from "~/session/scopes";
import { useMe } from "~/session/session";

/** The lines of a text that are not empty. */
function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Without a client it makes one. */
export function ClientDialog({ client, onClose }: { client?: OAuthClient; onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  // What it may ask for already stays to be seen, and can be taken back.
  const choices = offeredScopes([...useMe().offeredScopes, ...(client?.scopes ?? [])]);
  const form = useForm({
    values: {
      id: client?.id ?? "",
      name: client?.name ?? "",
      redirectUris: client?.redirectUris.join("\n") ?? "",
      isHeld: Array.isArray(client?.scopes),
      scopes: client?.scopes ?? (["content:read"] as Scope[]),
    },
    check: ({ isHeld, scopes }) => (isHeld && scopes.length === 0 ? { scopes: t`Tick at least one.` } : {}),
    submit: async ({ id, name, redirectUris, isHeld, scopes }) => {
      const body = { name: name.trim(), redirectUris: lines(redirectUris), scopes: isHeld ? scopes : null };
      // Also when it failed: somebody else may have been faster.
      const load = () => queries.invalidateQueries({ queryKey: ["oauth-clients"] });
      if (client) await answer(api.PUT("/admin/oauth-clients/{id}", { params: { path: { id: client.id } }, body: { ...body, _rev: client._rev } })).finally(load);
      else await answer(api.POST("/admin/oauth-clients", { body: { id: id.trim(), ...body } })).finally(load);
      toast.good(client ? <Trans>The application is changed.</Trans> : <Trans>The application is added.</Trans>);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="md"
      locked={form.isSending}
      title={client ? <Trans>Change application</Trans> : <Trans>Add application</Trans>}
      description={<Trans>It asks people for access in their browser, and gets what they allow.</Trans>}
    >
      <Form form={form}>
        <TextField label={<Trans>Name</Trans>} hint={<Trans>People see it when they decide whether to allow access.</Trans>} maxLength={255} autoFocus autoComplete="off" {...form.field("name")} />
        <TextField
          label={<Trans>Client ID</Trans>}
          hint={client ? <Trans>Never changes.</Trans> : <Trans>What the application calls itself in its requests, as in “newsletter”.</Trans>}
          readOnly={client !== undefined}
          maxLength={255}
          dir="ltr"
          autoComplete="off"
          className="[&_input]:font-mono"
          {...form.field("id")}
        />
        <TextArea
          label={<Trans>Redirect addresses</Trans>}
          hint={<Trans>One per line. HTTPS, or a program on the same machine, where any port will do.</Trans>}
          dir="ltr"
          placeholder="https://app.example.org/callback"
          {...form.field("redirectUris")}
        />
        <Checkbox
          label={<Trans>Limit what it may ask for</Trans>}
          hint={<Trans>Without a limit it may ask for anything. People still decide, and never give more than they have.</Trans>}
          {...form.box("isHeld")}
        />
        {form.values.isHeld && (
          <ScopeChoice
            legend={<Trans>It may ask for</Trans>}
            name="scopes"
            choices={choices.map(({ scope, leastRole }) => ({ scope, leastRole, allowed: true }))}
            value={form.values.scopes}
            onChange={(scopes) => form.set("scopes", scopes)}
            error={form.error("scopes")}
          />
        )}
        <DialogActions>
          <Button onClick={onClose} disabled={form.isSending}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" pending={form.isSending}>
            {client ? <Trans>Save changes</Trans> : <Trans>Add application</Trans>}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
