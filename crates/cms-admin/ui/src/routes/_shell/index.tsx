// The first screen behind the door.

import { createFileRoute } from "@tanstack/react-router";

import { Dashboard } from "~/dashboard/Dashboard";

export const Route = createFileRoute("/_shell/")({ component: Dashboard });
