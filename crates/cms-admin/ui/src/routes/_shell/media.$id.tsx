// One file of the library, beside the others.

import { createFileRoute } from "@tanstack/react-router";

import { Detail } from "~/media/library/Detail";

export const Route = createFileRoute("/_shell/media/$id")({ component: Screen });

function Screen() {
  const { id } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <Detail key={id} id={id} onClose={(isGone) => void navigate({ to: "/media", search, ...(isGone ? { ignoreBlocker: true } : {}) })} />;
}
