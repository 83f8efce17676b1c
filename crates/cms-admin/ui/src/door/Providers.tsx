// The providers that this site knows: a button each, and a field before it where one has to know something first.

import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { Provider } from "~/api/types";
import { Button } from "~/components/Button";
import { TextField } from "~/components/Field";
import { Form, useForm } from "~/components/form";
import { home } from "~/lib/site";

import { safePath } from "./finish";

interface Where {
  back?: string | undefined;
  /** The secret of an invitation that is to be accepted with the provider. */
  invitation?: string | undefined;
}

export function Providers({ providers, ...where }: Where & { providers: Provider[] }) {
  if (providers.length === 0) return null;
  return (
    <div className="grid gap-2.5">
      {providers.map((provider) => (
        <One key={provider.id} provider={provider} {...where} />
      ))}
    </div>
  );
}

function One({ provider, back, invitation }: Where & { provider: Provider }) {
  const [isOpen, setOpen] = useState(false);
  const form = useForm({
    values: Object.fromEntries(provider.fields.map(({ name }) => [name, ""])),
    submit: async (fields) => {
      const body = { fields, return: home + safePath(back), ...(invitation ? { invite: invitation } : {}) };
      // In the body and not in an address: the secret of an invitation must not stand in any log.
      const { url } = await answer(api.POST("/auth/oauth/{provider}/begin", { params: { path: { provider: provider.id } }, body }));
      location.assign(url);
    },
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
