// The answer for an address that has no screen.

import { Trans, useLingui } from "@lingui/react/macro";
import { Compass } from "lucide-react";

import { ButtonLink } from "~/components/Button";
import { EmptyState } from "~/components/states";
import { Title } from "~/components/Title";

export function NotFound() {
  const { t } = useLingui();
  return (
    <div className="mx-auto max-w-xl py-12">
      <Title>{t`Page not found`}</Title>
      <h1 className="sr-only">{t`Page not found`}</h1>
      <EmptyState
        icon={<Compass />}
        title={<Trans>There is no page at this address</Trans>}
        action={
          <ButtonLink to="/" variant="primary">
            <Trans>Go to the dashboard</Trans>
          </ButtonLink>
        }
      >
        <Trans>It may have moved, or the link may have a typing error.</Trans>
      </EmptyState>
    </div>
  );
}
