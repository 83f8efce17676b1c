// Asks who owns entries from now on.

import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";

import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { PickerField } from "~/components/picker/PickerField";
import type { Option } from "~/components/picker/source";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";

import { useAuthorSource } from "./authors";

interface AuthorDialogProps {
  collection: string;
  name: string;
  onChoose: (author: string) => void;
  onClose: () => void;
}

export function AuthorDialog({ collection, name, onChoose, onClose }: AuthorDialogProps) {
  const { t } = useLingui();
  const source = useAuthorSource(collection);
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
