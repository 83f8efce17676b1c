// An entry, or a new one where its id would be.

import { createFileRoute } from "@tanstack/react-router";

import { EntryEditor } from "~/editor/EntryEditor";
import { addTexts } from "~/lib/language";
import { textOf } from "~/lib/search";

export const Route = createFileRoute("/_shell/content/$collection/$id")({
  validateSearch: (search: Record<string, unknown>) => textOf(search, "locale", "field", "tab", "translationOf", "left", "beside", "preview"),
  loader: () => addTexts("editor"),
  component: EntryScreen,
});

function EntryScreen() {
  const { collection, id } = Route.useParams();
  const search = Route.useSearch();
  return <EntryEditor collection={collection} id={id === "new" ? undefined : id} {...search} />;
}
