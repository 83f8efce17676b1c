// The entries of one collection that were moved to the trash.

import { useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";

import { PageHeader } from "~/components/PageHeader";
import { collection } from "~/content/collections";
import { CollectionPage } from "~/content/CollectionPage";
import { Trash } from "~/content/Trash";

export const Route = createFileRoute("/_shell/content/$collection/trash")({ component: Screen });

function Screen() {
  const { t } = useLingui();
  const { collection: slug } = Route.useParams();
  const query = useQuery(collection(slug));
  const label = query.data?.label;
  return (
    <>
      <PageHeader title={label ? t`${label}: trash` : t`Trash`} />
      <CollectionPage query={query} slug={slug}>
        {(collection) => <Trash key={slug} collection={collection} />}
      </CollectionPage>
    </>
  );
}
