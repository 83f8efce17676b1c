// The first screen behind the door.

import { msg } from "@lingui/core/macro";
import { createFileRoute } from "@tanstack/react-router";
import { LayoutDashboard } from "lucide-react";

import { Dashboard } from "~/dashboard/Dashboard";
import { addTexts } from "~/lib/language";

export const Route = createFileRoute("/_shell/")({
  staticData: {
    place: { label: msg`Dashboard`, icon: LayoutDashboard, group: "start", at: 10, key: "d", words: msg`home start overview` },
  },
  loader: () => addTexts("dashboard"),
  component: Dashboard,
});
