// Rich text. Its editor is heavy, and comes when there is something to write with it.

import { Suspense } from "react";

import { Skeleton } from "~/components/states";
import { lazily } from "~/lib/lazily";

import { lookOf, type ControlProps } from "./shape";

const editor = () => import("~/richtext/RichText").then((of) => of.default);
const RichText = lazily(editor);

/** Has the editor come where there is a text for it, before there is a place for it. */
export function prepareRich(fields: readonly { type: string }[]): void {
  // What cannot be loaded is loaded again where it is shown, and there it says so.
  if (fields.some(({ type }) => type === "portableText")) void editor().catch(() => undefined);
}

export function RichControl({ field, id, value, onChange, describedBy, isInvalid, readOnly }: ControlProps) {
  const { placeholder } = lookOf(field);
  return (
    <Suspense fallback={<Skeleton className="h-40 w-full" />}>
      <RichText
        id={id}
        labelledBy={`${id}-label`}
        describedBy={describedBy}
        value={value}
        onChange={onChange}
        invalid={isInvalid}
        readOnly={readOnly}
        {...(placeholder ? { placeholder } : {})}
      />
    </Suspense>
  );
}
