// The entries of one collection.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { FilePlus2 } from "lucide-react";
import { Suspense } from "react";

import { ButtonLink } from "~/components/Button";
import { PageHeader } from "~/components/PageHeader";
import { collection } from "~/content/collections";
import { CollectionPage } from "~/content/CollectionPage";
import { LeftNew } from "~/content/dialogs";
import { EntryList } from "~/content/EntryList";
import { newEntryLink } from "~/content/links";
import { useMay } from "~/content/may";
import { listSearch, type ListSearch } from "~/content/question";

export const Route = createFileRoute("/_shell/content/$collection/")({
  validateSearch: (search: Record<string, unknown>): ListSearch => listSearch(search),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  const { collection: slug } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = useQuery(collection(slug));
  const may = useMay();
  return (
    <>
      <PageHeader
        title={query.data?.label ?? t`Content`}
        description={query.data?.description}
        actions={
          may.create &&
          query.data && (
            <ButtonLink variant="primary" icon={<FilePlus2 />} {...newEntryLink(slug)}>
              <Trans>New entry</Trans>
            </ButtonLink>
          )
        }
      />
      <CollectionPage query={query} slug={slug}>
        {/* Another collection is another list: nothing of the one before stays. */}
        {(collection) => (
          <>
            <Suspense>
              <LeftNew collection={slug} labelOf={() => collection.label} />
            </Suspense>
            <EntryList key={slug} collection={collection} search={search} onSearch={(search) => void navigate({ search, replace: true })} />
          </>
        )}
      </CollectionPage>
    </>
  );
}
