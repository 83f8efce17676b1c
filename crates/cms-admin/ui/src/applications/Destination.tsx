// Where the browser goes with the answer. An application can call itself anything; where its users are sent it cannot make up.

import { Trans } from "@lingui/react/macro";

/** Hosts that mean the machine on which the browser runs. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export function Destination({ host }: { host: string }) {
  if (!LOOPBACK.test(host)) {
    return (
      <bdi dir="ltr" className="font-medium break-all">
        {host}
      </bdi>
    );
  }
  return (
    <>
      <span className="font-medium">
        <Trans>A program on this computer</Trans>
      </span>{" "}
      <bdi dir="ltr" className="text-muted">
        ({host})
      </bdi>
    </>
  );
}
