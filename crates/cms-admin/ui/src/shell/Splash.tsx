// What is shown while a screen's code or data is on its way for long.

import { Trans } from "@lingui/react/macro";

import { Spinner } from "~/components/Spinner";

export function Splash() {
  return (
    <div role="status" className="grid min-h-64 place-items-center text-muted">
      <Spinner className="size-6" />
      <span className="sr-only">
        <Trans>Loading…</Trans>
      </span>
    </div>
  );
}
