// The calendar: what is planned, and what was published.

import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";
import { CalendarDays } from "lucide-react";

import { addTexts } from "~/lib/language";
import { CalendarScreen } from "~/planning/calendar/CalendarScreen";
import { textOf } from "~/lib/search";
import { Needs } from "~/session/Needs";

export const Route = createFileRoute("/_shell/calendar")({
  staticData: {
    place: { label: msg`Calendar`, icon: CalendarDays, group: "content", at: 30, permission: "content:read_drafts", key: "a", words: msg`schedule planned publication dates month week agenda` },
  },
  validateSearch: (search: Record<string, unknown>) => textOf(search, "filter", "view", "day"),
  loader: () => addTexts("planning"),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Needs permission="content:read_drafts" title={t`Calendar`}>
      <CalendarScreen search={search} onSearch={(search, isOther) => void navigate({ search, replace: !isOther })} />
    </Needs>
  );
}
