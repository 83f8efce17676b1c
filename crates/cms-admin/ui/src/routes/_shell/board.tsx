// The board: entries by where they stand.

import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";
import { SquareKanban } from "lucide-react";

import { addTexts } from "~/lib/language";
import { BoardScreen } from "~/planning/board/BoardScreen";
import { textOf } from "~/lib/search";
import { Needs } from "~/session/Needs";

export const Route = createFileRoute("/_shell/board")({
  staticData: {
    place: { label: msg`Board`, icon: SquareKanban, group: "content", at: 20, permission: "content:read_drafts", key: "k", words: msg`kanban columns drafts scheduled published workflow` },
  },
  validateSearch: (search: Record<string, unknown>) => textOf(search, "filter", "column"),
  loader: () => addTexts("planning"),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Needs permission="content:read_drafts" title={t`Board`}>
      <BoardScreen search={search} onSearch={(search) => void navigate({ search, replace: true })} />
    </Needs>
  );
}
