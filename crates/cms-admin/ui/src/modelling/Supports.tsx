// What the entries of a collection can do.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";

import { Checkbox } from "~/components/Field";

import type { Support } from "./settings";

/** The features in words, in the order in which they are offered. */
export const SUPPORTS: { support: Support; name: MessageDescriptor; about: MessageDescriptor }[] = [
  { support: "drafts", name: msg`Drafts`, about: msg`Changes of a published entry wait until they are published. Without it they are public at once.` },
  { support: "revisions", name: msg`History`, about: msg`Each save is kept, and can be compared and restored.` },
  { support: "preview", name: msg`Preview links`, about: msg`Whoever has the link sees the entry as it will be.` },
  { support: "scheduling", name: msg`Scheduling`, about: msg`Entries can be published and unpublished at a time.` },
  { support: "search", name: msg`Search`, about: msg`Entries are found by full-text search.` },
  { support: "seo", name: msg`Search engines`, about: msg`Entries have a title, a description and more for search engines.` },
];

export function SupportsField({ value, onChange, error }: { value: Support[]; onChange: (supports: Support[]) => void; error: string | undefined }) {
  const { i18n } = useLingui();
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-medium">
        <Trans>Features</Trans>
      </legend>
      {SUPPORTS.map(({ support, name, about }) => (
        <Checkbox
          key={support}
          name="supports"
          label={i18n._(name)}
          hint={i18n._(about)}
          checked={value.includes(support)}
          onChange={({ target }) => onChange(target.checked ? [...value, support] : value.filter((other) => other !== support))}
        />
      ))}
      {error && <p className="text-sm text-bad">{error}</p>}
    </fieldset>
  );
}
