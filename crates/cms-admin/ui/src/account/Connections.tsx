// One's accounts at sign-in providers: linking and unlinking them.

import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link2, Unlink } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { Connection, Provider } from "~/api/types";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { Dialog, DialogActions } from "~/components/Dialog";
import { TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { Row, Rows } from "~/components/Rows";
import { Loaded } from "~/components/states";
import { toast } from "~/components/toast";
import { mode } from "~/door/queries";
import { useFormat } from "~/lib/format";
import { home } from "~/lib/site";

import { connections } from "./queries";

/** Nothing at all where the server knows no providers and nobody is linked. */
export function Connections() {
  const { t } = useLingui();
  const { date } = useFormat();
  const queries = useQueryClient();
  const providers = useQuery(mode).data?.providers ?? [];
  const query = useQuery(connections);
  const [unlinked, setUnlinked] = useState<Connection>();
  const unlinkedName = unlinked && nameOf(unlinked);

  if (providers.length === 0 && (query.data?.items.length ?? 0) === 0 && !query.isError) return null;
  return (
    <Card id="connections" flush title={<Trans>Sign-in providers</Trans>} description={<Trans>Accounts elsewhere that you can sign in with.</Trans>}>
      <Loaded query={query}>
        {({ items }) => (
          <Rows label={t`Sign-in providers`}>
            {items.map((connection) => {
              const name = nameOf(connection);
              return (
                <Row
                  key={`${connection.provider} ${connection.account}`}
                  icon={<Link2 />}
                  title={name}
                  actions={
                    <Button size="sm" icon={<Unlink />} aria-label={t`Unlink ${name}`} onClick={() => setUnlinked(connection)}>
                      <Trans>Unlink</Trans>
                    </Button>
                  }
                >
                  <bdi>{connection.email ?? connection.name ?? connection.account}</bdi> · <Trans>linked {date(connection.createdAt)}</Trans>
                </Row>
              );
            })}
            {providers
              .filter(({ id }) => !items.some((connection) => connection.provider === id))
              .map((provider) => (
                <Unlinked key={provider.id} provider={provider} />
              ))}
          </Rows>
        )}
      </Loaded>
      {unlinked && (
        <ConfirmDialog
          open
          onOpenChange={() => setUnlinked(undefined)}
          title={<Trans>Unlink {unlinkedName}?</Trans>}
          description={<Trans>You can no longer sign in with it, until you link it again.</Trans>}
          confirm={<Trans>Unlink</Trans>}
          onConfirm={async () => {
            const { provider, account } = unlinked;
            await answer(api.DELETE("/auth/connections/{provider}/{account}", { params: { path: { provider, account } } }));
            await queries.invalidateQueries(connections);
            toast.good(<Trans>Unlinked.</Trans>);
          }}
        />
      )}
    </Card>
  );
}

/** What a connection's provider is called; its id where the server knows it no more. */
function nameOf({ label, provider }: Connection): string {
  return label ?? provider;
}

/** A provider that is not linked yet. Some need to know something first, such as the name that one has there. */
function Unlinked({ provider }: { provider: Provider }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { label } = provider;
  const link = useMutation({ mutationFn: () => begin(provider.id, {}), onError: toast.bad });
  return (
    <Row
      icon={<Link2 />}
      title={label}
      actions={
        <Button size="sm" aria-label={t`Link ${label}`} pending={link.isPending} onClick={() => (provider.fields.length > 0 ? setOpen(true) : link.mutate())}>
          <Trans>Link</Trans>
        </Button>
      }
    >
      <Trans>Not linked</Trans>
      {isOpen && <LinkDialog provider={provider} onClose={() => setOpen(false)} />}
    </Row>
  );
}

function LinkDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { t } = useLingui();
  const { label } = provider;
  const form = useForm({
    values: Object.fromEntries(provider.fields.map(({ name }) => [name, ""])),
    submit: (fields) => begin(provider.id, fields),
  });
  return (
    <Dialog open onOpenChange={onClose} locked={form.isSending} title={t`Link ${label}`}>
      <Form form={form}>
        {provider.fields.map(({ name, label }, index) => (
          <TextField key={name} label={label} autoFocus={index === 0} autoCapitalize="none" spellCheck={false} {...form.field(name)} />
        ))}
        <DialogActions>
          <Button onClick={onClose} disabled={form.isSending}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" pending={form.isSending}>
            <Trans>Continue</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Sends the browser to a provider, which sends it back to this screen. */
async function begin(provider: string, fields: Record<string, string>): Promise<void> {
  const body = { fields, return: `${home}/account/security` };
  const { url } = await answer(api.POST("/auth/connections/{provider}", { params: { path: { provider } }, body }));
  location.assign(url);
}
