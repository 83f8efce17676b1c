// Rich text. Its editor is heavy, and comes when there is something to write with it.

import { lazy, Suspense } from "react";

import { Skeleton } from "~/components/states";

import { lookOf, type ControlProps } from "./shape";

const RichText = lazy(() => import("~/richtext/RichText"));

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
