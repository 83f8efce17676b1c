// Making a collection: a name is enough, and all else can be said now or later.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { Collection } from "~/api/types";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Checkbox, TextArea, TextField } from "~/components/Field";
import { toast } from "~/components/toast";
import { Form } from "~/forms/Form";
import { LeaveDialog } from "~/forms/LeaveDialog";
import { useForm } from "~/forms/useForm";

import { modelChanged } from "./change";
import { IconField } from "./IconField";
import { freeIdentifier, identifierFrom, RESERVED } from "./identifier";
import { atSlug, useExplain } from "./Refusal";
import type { Support } from "./settings";
import { Routable, UrlPattern } from "./SettingsForm";
import { SupportsField } from "./Supports";
import { SlugField } from "./SlugField";
import { useSlug } from "./useSlug";

/** What a collection supports unless it says otherwise (`default_supports` in `cms-domain`). */
const USUAL: Support[] = ["drafts", "revisions", "preview", "scheduling"];

interface NewCollectionProps {
  taken: string[];
  onClose: () => void;
  /** Told which one was made. */
  onMade: (collection: Collection) => void;
}

export function NewCollection({ taken, onClose, onMade }: NewCollectionProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const slug = useSlug([...taken, ...RESERVED.collection], false);
  const [hasMore, setMore] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const form = useForm({
    values: { label: "", labelSingular: "", slug: "", description: "", icon: null as string | null, supports: USUAL, urlPattern: "", routable: true, hidden: false, title: t`Title` },
    explain: useExplain(),
    submit: async ({ label, labelSingular, slug, description, urlPattern, title, ...rest }) => {
      const titleField = freeIdentifier(identifierFrom(title) || "title", RESERVED.field);
      const first = { slug: titleField, label: title.trim(), type: "string" as const, required: true, searchable: true };
      const body = {
        ...rest,
        slug: slug.trim(),
        label: label.trim(),
        labelSingular: labelSingular.trim() || null,
        description: description.trim() || null,
        urlPattern: urlPattern.trim() || null,
        ...(title.trim() ? { fields: [first], titleField } : {}),
      };
      const { item } = await answer(api.POST("/schema/collections", { body })).catch(atSlug);
      await modelChanged(queries);
      toast.good(<Trans>The collection “{label}” is created.</Trans>);
      onMade(item);
    },
  });
  const label = form.field("label");
  const shown = form.field("slug");
  return (
    <Dialog open onOpenChange={() => (form.isDirty ? setLeaving(true) : onClose())} size="md" locked={form.isSending} title={<Trans>New collection</Trans>} description={<Trans>A kind of content, such as articles or people. Its fields come next.</Trans>}>
      <LeaveDialog blocker={{ status: isLeaving ? "blocked" : "idle", proceed: onClose, reset: () => setLeaving(false) }} />
      <Form form={form} className="[--container-control:100%]">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={<Trans>Name</Trans>}
            placeholder={t`Articles`}
            maxLength={200}
            autoFocus
            autoComplete="off"
            {...label}
            onChange={(event) => {
              label.onChange(event);
              const made = slug.follow(event.target.value);
              if (made !== undefined) form.set("slug", made);
            }}
          />
          <TextField label={<Trans>Name of one entry</Trans>} placeholder={t`Article`} optional maxLength={200} autoComplete="off" {...form.field("labelSingular")} />
        </div>
        <SlugField
          hint={<Trans>The name in the API: lower-case letters, digits and underscores. It cannot be changed later.</Trans>}
          slug={slug}
          {...shown}
        />
        <TextField
          label={<Trans>First field</Trans>}
          hint={<Trans>A short text that names each entry, such as “Title” or “Name”. Leave it empty to begin without fields.</Trans>}
          optional
          maxLength={200}
          autoComplete="off"
          {...form.field("title")}
        />
        <div>
          <button type="button" aria-expanded={hasMore} onClick={() => setMore(!hasMore)} className="flex items-center gap-2 rounded-sm py-1 font-medium text-muted hover:text-ink pointer-coarse:min-h-11">
            <ChevronDown aria-hidden className={hasMore ? "size-4" : "size-4 -rotate-90 rtl:rotate-90"} />
            <Trans>Description, icon, address and features</Trans>
          </button>
        </div>
        {hasMore && (
          <>
            <TextArea label={<Trans>Description</Trans>} hint={<Trans>What the collection is for. Editors see it above the list.</Trans>} optional maxLength={2000} {...form.field("description")} />
            <IconField value={form.values.icon} error={form.error("icon")} onChange={(icon) => form.set("icon", icon)} />
            <UrlPattern {...form.field("urlPattern")} />
            <Routable {...form.box("routable")} />
            <Checkbox label={<Trans>Leave it out of the navigation</Trans>} hint={<Trans>Its entries are still found by search and through references.</Trans>} {...form.box("hidden")} />
            <SupportsField value={form.values.supports} error={form.error("supports")} onChange={(supports) => form.set("supports", supports)} />
          </>
        )}
        <DialogActions>
          <Button type="submit" variant="primary" pending={form.isSending}>
            <Trans>Create collection</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
