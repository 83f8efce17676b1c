// The providers that this site knows: a button each, and a field before it where one has to know something first.

import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { Provider } from "~/api/types";
import { Button } from "~/components/Button";
import { TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { home } from "~/lib/site";

import { safePath } from "./finish";

/** Begins at a provider, with what its form was filled with. */
type Begin = (provider: Provider, fields: Record<string, string>) => Promise<unknown>;

interface SignInProps {
  providers: Provider[];
  back?: string | undefined;
  /** The secret of an invitation that is to be accepted with the provider. */
  invitation?: string | undefined;
}

/** Signs in at a provider, which sends the browser back. */
export function Providers({ providers, back, invitation }: SignInProps) {
  async function begin({ id }: Provider, fields: Record<string, string>) {
    const body = { fields, return: home + safePath(back), ...(invitation ? { invite: invitation } : {}) };
    // In the body and not in an address: the secret of an invitation must not stand in any log.
    const { url } = await answer(api.POST("/auth/oauth/{provider}/begin", { params: { path: { provider: id } }, body }));
    location.assign(url);
  }
  return <ProviderButtons providers={providers} begin={begin} />;
}

/** In the order of the server: those that only need a press come first there. */
export function ProviderButtons({ providers, begin }: { providers: Provider[]; begin: Begin }) {
  if (providers.length === 0) return null;
  return (
    <div className="grid gap-2.5">
      {providers.map((provider) => (
        <One key={provider.id} provider={provider} begin={begin} />
      ))}
    </div>
  );
}

function One({ provider, begin }: { provider: Provider; begin: Begin }) {
  const [isOpen, setOpen] = useState(false);
  const form = useForm({
    values: Object.fromEntries(provider.fields.map(({ name }) => [name, ""])),
    submit: (fields) => begin(provider, fields),
  });
  const { label } = provider;
  const hasFields = provider.fields.length > 0;
  return (
    <Form form={form} className="gap-2.5">
      {isOpen && provider.fields.map((field) => <TextField key={field.name} {...form.field(field.name)} label={field.label} autoCapitalize="none" spellCheck={false} autoFocus />)}
      {hasFields && !isOpen ? (
        <Button size="lg" wide onClick={() => setOpen(true)}>
          <Trans>Continue with {label}</Trans>
        </Button>
      ) : (
        <Button type="submit" size="lg" wide pending={form.isSending}>
          <Trans>Continue with {label}</Trans>
        </Button>
      )}
    </Form>
  );
}
