// Makes an entry where another one refers to it: the offer in the picker, and what becomes of it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { use } from "react";

import { ApiError, messageOf } from "~/api/errors";
import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";
import type { Make } from "~/components/picker/Picker";
import { Spinner } from "~/components/Spinner";
import { entriesChanged } from "~/content/entries";
import { useMay } from "~/content/may";
import { home } from "~/lib/site";
import { stringifySearch } from "~/lib/search";

import { SessionContext } from "../model/context";
import type { Item } from "../model/values";
import type { Model } from "../queries";
import { issueText } from "./messages";
import { NewDraft, titleAlone } from "./newDraft";

type Making = UseMutationResult<Item, Error, NewDraft>;

/** Makes an entry of a title, and hands it over once it is there. */
export function useNewReference(model: Model | undefined, onMade: (item: Item) => void): { make: Make | undefined; making: Making } {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { create } = useMay();
  // What is referred to in an entry is written in its language.
  const locale = use(SessionContext)?.locale;
  const making = useMutation({
    mutationFn: (draft: NewDraft) => draft.make(),
    onSuccess: (item) => {
      onMade(item);
      void entriesChanged(queries, item.type);
      void queries.invalidateQueries({ queryKey: ["picker", "entries", item.type] });
    },
  });
  if (!model || !create || making.isPending) return { make: undefined, making };

  const { collection } = model;
  const found = titleAlone(model);
  const hints = {
    untitled: () => t`In a new tab: entries of ${collection.label} have no title that could be typed here.`,
    lacks: (field: string) => t`In a new tab, since “${field}” has to be filled in as well.`,
  };
  const hint = "slug" in found ? undefined : found.kind === "lacks" ? hints.lacks(found.field.label) : hints.untitled();
  const make: Make = {
    label: (typed) => (typed === "" ? undefined : t`Create “${typed}”`),
    hint,
    onMake: (typed) => {
      if ("slug" in found) making.mutate(new NewDraft({ model, title: found, typed, locale }));
      else window.open(`${home}/content/${collection.slug}/new${stringifySearch({ locale })}`, "_blank", "noopener");
    },
  };
  return { make, making };
}

/** What becomes of an entry that is made, as long as it is referred to. */
export function NewReferenceState({ making, ids }: { making: Making; ids: string[] }) {
  const typed = making.variables?.typed ?? "";
  const isThere = making.data !== undefined && ids.includes(making.data.id);
  return (
    <>
      <p role="status" className="flex items-center gap-2 text-sm text-muted empty:sr-only">
        {making.isPending && (
          <>
            <Spinner />
            <span>
              <Trans>Creating “{typed}”…</Trans>
            </span>
          </>
        )}
        {isThere && <Trans>“{typed}” is a draft: it stays off the site until it is published.</Trans>}
      </p>
      {making.isError && (
        <Notice
          tone="bad"
          title={<Trans>“{typed}” was not created.</Trans>}
          action={
            <>
              <Button size="sm" onClick={() => making.mutate(making.variables)}>
                <Trans>Try again</Trans>
              </Button>
              <Button size="sm" variant="ghost" onClick={making.reset}>
                <Trans>Dismiss</Trans>
              </Button>
            </>
          }
        >
          {failureOf(making.error, making.variables)}
        </Notice>
      )}
    </>
  );
}

/** Why it was not made: what is wrong with its title, where that is it. */
function failureOf(error: unknown, { title }: NewDraft): string {
  const issue = error instanceof ApiError ? error.issues.find(({ path }) => path === title.slug) : undefined;
  return issue ? issueText(issue, title.validation ?? {}) : messageOf(error);
}
