// Every other address: there is no screen there.

import { createFileRoute } from "@tanstack/react-router";

import { NotFound } from "~/shell/NotFound";

export const Route = createFileRoute("/_shell/$")({ component: NotFound });
