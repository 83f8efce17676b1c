// The date field, fetched when there is one on the screen: what it knows of calendars and zones is not little.

import { Suspense } from "react";

import { lazily } from "~/lib/lazily";

import type { DateTimeFieldProps } from "./date/DateTimeField";
import { Field } from "./Field";
import { Skeleton } from "./states";

const Fetched = lazily(() => import("./date/DateTimeField").then((of) => of.default));

export type { DateTimeFieldProps };

export function DateTimeField(props: DateTimeFieldProps) {
  return (
    <Suspense fallback={<Field {...props}>{() => <Skeleton className="h-9 w-full max-w-control rounded-md" />}</Field>}>
      <Fetched {...props} />
    </Suspense>
  );
}
