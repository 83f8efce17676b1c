// What an operation can answer, and what each answer looks like.

import { Trans, useLingui } from "@lingui/react/macro";

import { Card } from "~/components/Card";

import type { Operation } from "../document/operations";
import { Prose } from "./Prose";
import { SchemaTree } from "./SchemaTree";
import { Status } from "./Answer";

export function Responses({ operation: { responses, root } }: { operation: Operation }) {
  const { t } = useLingui();
  const sorted = responses.toSorted((one, other) => one.status.localeCompare(other.status));
  return (
    <Card flush id="answers" title={<Trans>Responses</Trans>}>
      <ul className="divide-y divide-line border-t border-line">
        {sorted.map(({ status, description, schema, mediaType }) => {
          const event = schema?.["x-event-data"];
          const shown = event ?? schema;
          return (
            <li key={status} className="grid gap-2 px-5 py-3 sm:grid-cols-[4rem_minmax(0,1fr)]">
              <span>
                <Status status={Number(status)} statusText="" />
              </span>
              <div className="grid min-w-0 gap-2">
                <Prose text={description} />
                {/* What failures look like is the same everywhere, and said of the API as a whole. */}
                {shown && status.startsWith("2") && (
                  <details className="min-w-0 text-sm">
                    <summary className="w-fit rounded-sm text-muted hover:text-ink pointer-coarse:py-2.5">
                      {event ? <Trans>Data of each event</Trans> : <Trans>Schema</Trans>}{" "}
                      <code dir="ltr" className="font-mono">
                        {mediaType}
                      </code>
                    </summary>
                    <div className="mt-2">
                      <SchemaTree root={root} schema={shown} label={t`Schema of the response with status ${status}`} />
                    </div>
                  </details>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
