// Behind the door: every screen below this needs a session.

import { createFileRoute } from "@tanstack/react-router";

import { needSession } from "~/session/session";
import { Shell } from "~/shell/Shell";

export const Route = createFileRoute("/_shell")({ beforeLoad: needSession, component: Shell });
