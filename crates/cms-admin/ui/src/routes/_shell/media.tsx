// The library, with one of its files beside it.

import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { createFileRoute, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { Images } from "lucide-react";

import { addTexts } from "~/lib/language";
import { Library } from "~/media/library/Library";
import { mediaSearch, type MediaSearch } from "~/media/question";
import { Needs } from "~/session/Needs";

export const Route = createFileRoute("/_shell/media")({
  staticData: {
    place: { label: msg`Media`, icon: Images, group: "content", at: 40, permission: "media:read", key: "m", words: msg`library files pictures images videos documents uploads folders` },
  },
  validateSearch: (search: Record<string, unknown>): MediaSearch => mediaSearch(search),
  loader: () => addTexts("media"),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  const search = Route.useSearch();
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  return (
    <Needs permission="media:read" title={t`Media`}>
      <Library search={search} open={id} onSearch={(search) => void navigate({ to: ".", search, replace: true })}>
        <Outlet />
      </Library>
    </Needs>
  );
}
