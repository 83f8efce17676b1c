// Asks who owns entries from now on.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { EntryAuthor } from "~/api/types";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { PickerField } from "~/components/picker/PickerField";
import { knownSource, type Option, type Source } from "~/components/picker/source";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { useCan, useMe } from "~/session/session";

import { authorName, authors } from "./entries";

interface AuthorDialogProps {
  collection: string;
  name: string;
  onChoose: (author: string) => void;
  onClose: () => void;
}

const optionOf = (author: EntryAuthor): Option => ({ id: author.id, label: authorName(author), ...(author.name ? { hint: author.email } : {}) });

/** Everybody who has an account and may use it. */
const people: Source<Option> = {
  key: ["people"],
  load: async ({ text, cursor, signal }) => {
    const { items, nextCursor } = await answer(api.GET("/admin/users", { params: { query: { ...(text ? { search: text } : {}), ...(cursor ? { cursor } : {}) } }, signal }));
    return { items: items.filter(({ disabled }) => !disabled).map(optionOf), nextCursor };
  },
};

export function AuthorDialog({ collection, name, onChoose, onClose }: AuthorDialogProps) {
  const { t } = useLingui();
  const can = useCan();
  const me = useMe();
  const owners = useQuery(authors(collection)).data ?? [];
  // Whoever may see the accounts can hand entries to people who own none yet.
  const source = can("users:read") ? people : knownSource(["authors", collection], [...new Map([me, ...owners].map((author) => [author.id, optionOf(author)])).values()]);
  const [chosen, setChosen] = useState<Option | null>(null);
  const form = useForm({
    values: { authorId: "" },
    check: ({ authorId }) => (authorId ? {} : { authorId: t`Choose an author.` }),
    submit: ({ authorId }) => {
      onClose();
      onChoose(authorId);
      return Promise.resolve();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title={<Trans>Change author</Trans>} description={<bdi>{name}</bdi>}>
      <Form form={form}>
        <PickerField
          fieldLabel={<Trans>Author</Trans>}
          label={t`Choose an author`}
          source={source}
          name="authorId"
          value={chosen}
          error={form.error("authorId")}
          onChange={(author) => {
            setChosen(author);
            form.set("authorId", author?.id ?? "");
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary">
            <Trans>Change author</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
