// Begins an entry: a button for each of the first collections that one may write in, and the others behind one more.

import { Trans, useLingui } from "@lingui/react/macro";
import { ChevronDown, Plus } from "lucide-react";
import { Suspense } from "react";

import type { Collection } from "~/api/types";
import { Button, ButtonLink } from "~/components/Button";
import { useShownCollections } from "~/content/collections";
import { newEntryLink } from "~/content/links";
import { lazily } from "~/lib/lazily";
import { useCan } from "~/session/session";

const Others = lazily(() => import("./OtherCollections").then(({ OtherCollections }) => OtherCollections));

/** How many have a button of their own. */
const FIRST = 3;

export function Create() {
  const collections = useShownCollections();
  if (!useCan()("content:create") || collections.length === 0) return null;
  const first = collections.length <= FIRST + 1 ? collections : collections.slice(0, FIRST);
  const others = collections.slice(first.length);
  return (
    <>
      {first.map((collection) => (
        <One key={collection.slug} collection={collection} />
      ))}
      {others.length > 0 && (
        <Suspense fallback={<More disabled />}>
          <Others collections={others} trigger={<More />} />
        </Suspense>
      )}
    </>
  );
}

function One({ collection: { slug, label } }: { collection: Collection }) {
  const { t } = useLingui();
  return (
    <ButtonLink icon={<Plus aria-hidden />} aria-label={t`New entry in ${label}`} {...newEntryLink(slug)} className="max-w-full min-w-0 [&>span]:truncate">
      {label}
    </ButtonLink>
  );
}

function More(props: { disabled?: boolean }) {
  return (
    <Button icon={<Plus aria-hidden />} iconAfter={<ChevronDown aria-hidden />} {...props}>
      <Trans>Something else</Trans>
    </Button>
  );
}
