// New entries that were begun in this browser and never saved: nobody would look for them where another one is begun.

import { Trans } from "@lingui/react/macro";
import { queryOptions, useQuery } from "@tanstack/react-query";

import { ButtonLink } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { newEntryLink } from "~/content/links";
import { useFormat } from "~/lib/format";
import { useMe } from "~/session/session";

import { newOnes } from "./model/kept";
import { LEFT_NEW } from "./queries";

// A browser that keeps nothing has nothing.
const leftNew = (author: string) => queryOptions({ queryKey: [...LEFT_NEW, author], queryFn: () => newOnes(author).catch(() => []), networkMode: "always" });

/** Leads to what was left of a collection's new entries, or of those of every collection. */
export default function LeftNew({ collection, labelOf }: { collection?: string; labelOf: (collection: string) => string }) {
  const { dateTime } = useFormat();
  const { data = [] } = useQuery(leftNew(useMe().id));
  const shown = [...new Map(data.filter((left) => collection === undefined || left.collection === collection).map((left) => [`${left.collection} ${left.locale ?? ""}`, left])).values()];
  return (
    <div className="grid gap-3 not-empty:mb-4">
      {shown.map((left) => {
        const label = labelOf(left.collection);
        const time = dateTime(new Date(left.at));
        return (
          <Notice
            key={`${left.collection} ${left.locale ?? ""}`}
            tone="warn"
            title={<Trans>A new entry was not saved</Trans>}
            action={
              <ButtonLink size="sm" {...newEntryLink(left.collection)} search={{ locale: left.locale }}>
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
