// The first visit: the site's name, the first administrator, and their passkey.

import { createFileRoute } from "@tanstack/react-router";

import { Setup } from "~/door/Setup";

export const Route = createFileRoute("/_door/setup")({ component: Setup });
