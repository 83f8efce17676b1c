// Asks who owns entries from now on.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";

import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { SelectField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { users } from "~/people/queries";
import { useCan, useMe } from "~/session/session";

import { authorName, authors } from "./entries";

interface AuthorDialogProps {
  collection: string;
  name: string;
  onChoose: (author: string) => void;
  onClose: () => void;
}

export function AuthorDialog({ collection, name, onChoose, onClose }: AuthorDialogProps) {
  const { t } = useLingui();
  const can = useCan();
  const me = useMe();
  const owners = useQuery(authors(collection)).data ?? [];
  // Whoever may see the accounts can hand entries to people who own none yet.
  const people = useQuery({ ...users({}), enabled: can("users:read") }).data?.items.filter(({ disabled }) => !disabled) ?? [];
  const choices = [...new Map([me, ...owners, ...people].map((author) => [author.id, authorName(author)]))];
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
        <SelectField label={<Trans>Author</Trans>} {...form.field("authorId")}>
          <option value="" />
          {choices.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
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
