// How the form will look to editors, made by the editor's own controls, which are fetched when they are to be seen.

import { Trans } from "@lingui/react/macro";
import { Suspense } from "react";

import type { ContentField } from "~/api/types";
import { Skeleton } from "~/components/states";
import { addTexts } from "~/lib/language";
import { lazily } from "~/lib/lazily";

const Sketch = lazily(() => Promise.all([import("~/editor/fields/Sketch"), addTexts("editor")]).then(([of]) => of.default));

/** The form of some fields. What is typed into it is kept nowhere. */
export function Preview({ fields }: { fields: ContentField[] }) {
  if (fields.length === 0) {
    return (
      <p className="text-muted">
        <Trans>The form for editors appears here as you add fields.</Trans>
      </p>
    );
  }
  return (
    <Suspense fallback={<Skeleton className="h-32 w-full rounded-md" />}>
      <Sketch fields={fields} />
    </Suspense>
  );
}
