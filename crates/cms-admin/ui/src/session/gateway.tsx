// A site behind an access gateway: the gateway lets people in, and the site's own ways in are switched off until it goes.

import { Trans } from "@lingui/react/macro";
import { useSuspenseQuery } from "@tanstack/react-query";
import { DoorOpen } from "lucide-react";
import type { ReactNode } from "react";

import { Card } from "~/components/Card";
import { PageHeader } from "~/components/PageHeader";
import { EmptyState } from "~/components/states";
import { hasGateway, mode } from "~/door/queries";

/** Whether a gateway lets people in. Screens behind the door may rely on it being known. */
export function useIsBehindGateway(): boolean {
  return hasGateway(useSuspenseQuery(mode).data);
}

/** A screen about the site's own ways in. Behind a gateway it says who decides instead. */
export function OwnWaysIn({ title, children }: { title: string; children: ReactNode }) {
  if (!useIsBehindGateway()) return children;
  return (
    <>
      <PageHeader title={title} />
      <Card flush>
        <EmptyState icon={<DoorOpen />} title={<Trans>The gateway decides who gets in</Trans>}>
          <Trans>Invitations and sign-up are switched off as long as it is in front of this site. What was set here before counts again without it.</Trans>
        </EmptyState>
      </Card>
    </>
  );
}
