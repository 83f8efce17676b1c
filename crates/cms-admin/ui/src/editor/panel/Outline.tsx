// The headings of the rich text, and how much there is to read.

import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useDeferredValue, useMemo } from "react";

import { elementId } from "../fields/EntryField";
import { headingsOf, readingOf } from "../model/reading";
import { useDraft, useSession } from "../model/context";

export function Outline() {
  const { t } = useLingui();
  const { fields } = useSession();
  const values = useDeferredValue(useDraft(({ values }) => values));
  const headings = useMemo(() => headingsOf(fields, values), [fields, values]);
  const { words, characters, minutes } = useMemo(() => readingOf(fields, values), [fields, values]);
  return (
    <>
      <p className="text-muted">
        {[
          plural(words, { one: "# word", other: "# words" }),
          plural(characters, { one: "# character", other: "# characters" }),
          minutes < 1 ? t`less than a minute to read` : plural(minutes, { one: "# minute to read", other: "# minutes to read" }),
        ].join(" · ")}
      </p>
      {headings.length === 0 ? (
        <p className="text-muted">
          <Trans>Headings of the text show up here.</Trans>
        </p>
      ) : (
        <ol className="grid gap-0.5">
          {headings.map(({ field, key, level, text, nth }) => (
            <li key={`${field}/${key}`} style={{ paddingInlineStart: `${(level - 1) * 0.75}rem` }}>
              <button type="button" dir="auto" className="w-full truncate rounded-sm px-1 py-0.5 text-start hover:bg-hover pointer-coarse:min-h-11" onClick={() => jump(field, nth)}>
                {text || <Trans>Empty heading</Trans>}
              </button>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

/** Goes to a heading by how many there are before it in its field. */
function jump(field: string, nth: number): void {
  const heading = document.getElementById(elementId(field))?.querySelectorAll<HTMLElement>("h1, h2, h3, h4, h5, h6")[nth];
  heading?.scrollIntoView({ block: "center" });
}
