// New entries that were begun in this browser and never saved: nobody would look for them where another one is begun.

import { Trans } from "@lingui/react/macro";
import { queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";

import { ButtonLink } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { forget } from "~/editing/journal";
import { hasArrived } from "~/editor/model/arrived";
import { newOnes, type KeptNew } from "~/editor/model/kept";
import { LEFT_NEW } from "~/editor/queries";
import { useFormat } from "~/lib/format";
import { useMe } from "~/session/session";

import { newEntryLink } from "./links";

/** What is to be gone on with. What the server got although no tab came to know of it is forgotten. */
async function unsaved(queries: QueryClient, author: string): Promise<KeptNew[]> {
  const left = await newOnes(author);
  // A server that cannot be asked may not have it.
  const arrived = await Promise.all(left.map((one) => hasArrived(queries, one).catch(() => false)));
  await Promise.all(left.filter((_, n) => arrived[n]).map(({ kept }) => forget(kept)));
  return left.filter((_, n) => !arrived[n]);
}

const leftNew = (author: string) =>
  queryOptions({
    queryKey: [...LEFT_NEW, author],
    // A browser that keeps nothing has nothing.
    queryFn: ({ client }) => unsaved(client, author).catch(() => []),
    networkMode: "always",
  });

/** Leads to what was left of a collection's new entries, or of those of every collection. */
export default function LeftNew({ collection, labelOf }: { collection?: string; labelOf: (collection: string) => string }) {
  const { dateTime } = useFormat();
  const { data = [] } = useQuery(leftNew(useMe().id));
  const shown = data.filter((left) => collection === undefined || left.collection === collection);
  return (
    <div className="grid gap-3 not-empty:mb-4">
      {shown.map(({ collection, locale, translationOf, kept }) => {
        const label = labelOf(collection);
        const time = dateTime(new Date(kept.at));
        return (
          <Notice
            key={kept.tab}
            tone="warn"
            title={translationOf ? <Trans>A translation was not saved</Trans> : <Trans>A new entry was not saved</Trans>}
            action={
              <ButtonLink size="sm" {...newEntryLink(collection)} search={{ locale, translationOf, left: kept.tab }}>
                <Trans>Continue writing</Trans>
              </ButtonLink>
            }
          >
            <Trans>
              You began it in {label} on {time}. It is kept in this browser.
            </Trans>
          </Notice>
        );
      })}
    </div>
  );
}
