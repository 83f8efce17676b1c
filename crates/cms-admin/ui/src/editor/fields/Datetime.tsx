// A date and time, in a zone that is told. What is typed and no date yet is not dropped, and nothing is published until it is one.

import { useRef, useState } from "react";

import { DateTimeField } from "~/components/DateTimeField";
import { useTimeZone } from "~/content/site";

import { isUnread, unread } from "../model/values";
import type { ControlProps } from "./shape";
import { LineControl } from "./Text";

export function DatetimeControl(props: ControlProps) {
  const { value, onChange, field, readOnly } = props;
  const zone = useTimeZone();
  const boxes = useRef<HTMLDivElement>(null);
  // What another program wrote, or a tab that is gone left half typed, stays readable until somebody makes a date of it.
  const [isLeft] = useState(isUnread(value));
  const text = isUnread(value) ? value.$typed : value;
  const isOther = text !== undefined && text !== null && (typeof text !== "string" || Number.isNaN(Date.parse(text)));
  if (isUnread(value) ? isLeft : isOther) return <LineControl {...props} value={text} />;
  return (
    <div ref={boxes}>
      <DateTimeField
        kind="datetime"
        label={field.label}
        labelHidden
        optional={!field.required}
        name={field.slug}
        value={typeof value === "string" ? value : null}
        onChange={onChange}
        onProblem={(problem) => {
          const typed = [...(boxes.current?.querySelectorAll("input") ?? [])].map((box) => box.value).join(" ");
          if (problem !== undefined) onChange(unread(typed.trim()));
        }}
        zone={zone}
        min={field.validation.minDate ?? undefined}
        readOnly={readOnly}
      />
    </div>
  );
}
