// Before the door. A site that was not set up yet has no other page than its setup.

import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";

import { DoorError } from "~/door/DoorError";
import { setupStatus } from "~/door/queries";
import { textOf } from "~/lib/search";

export const Route = createFileRoute("/_door")({
  beforeLoad: async ({ context, location }) => {
    const status = await context.queries.query({ ...setupStatus, retry: false });
    const isSetup = location.pathname === "/setup";
    // What went wrong at a provider is told to the sign-in page, which is not there yet.
    const { error } = textOf(location.search, "error");
    if (status.needsSetup && !isSetup) throw redirect({ to: "/setup", search: error ? { error } : {}, replace: true });
    if (!status.needsSetup && isSetup) throw redirect({ to: "/login", replace: true });
  },
  component: Outlet,
  errorComponent: DoorError,
});
