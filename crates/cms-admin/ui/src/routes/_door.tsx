// Before the door. A site that was not set up yet has no other page than its setup.

import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";

import { DoorError } from "~/door/DoorError";
import { setupStatus } from "~/door/queries";

export const Route = createFileRoute("/_door")({
  beforeLoad: async ({ context, location }) => {
    const status = await context.queries.query({ ...setupStatus, retry: false });
    const isSetup = location.pathname === "/setup";
    if (status.needsSetup && !isSetup) throw redirect({ to: "/setup", replace: true });
    if (!status.needsSetup && isSetup) throw redirect({ to: "/login", replace: true });
  },
  component: Outlet,
  errorComponent: DoorError,
});
