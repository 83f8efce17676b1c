// A date and time, in a zone that is told. What is typed and no date yet is not dropped, and nothing is published until it is one.

import { useRef, useState, type ReactNode } from "react";

import { DateTimeField } from "~/components/DateTimeField";
import { useTimeZone } from "~/content/site";

import { isUnread, unread } from "../model/values";
import type { ControlProps } from "./shape";
import { LineControl } from "./Text";

export function DatetimeControl(props: ControlProps) {
  const { value, onChange, field, readOnly } = props;
  // What another program wrote stays readable until somebody makes a date of it.
  const isOther = value !== undefined && value !== null && !isUnread(value) && (typeof value !== "string" || Number.isNaN(Date.parse(value)));
  if (isOther) return <LineControl {...props} />;
  return (
    <TypedDate label={field.label} labelHidden required={field.required} name={field.slug} value={value} onChange={onChange} min={field.validation.minDate ?? undefined} readOnly={readOnly} />
  );
}

interface TypedDateProps {
  label: ReactNode;
  labelHidden?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  required: boolean;
  name?: string;
  /** A date, none, or what was typed and is none yet. */
  value: unknown;
  onChange: (value: unknown) => void;
  min?: string | undefined;
  readOnly?: boolean;
}

/** A date field whose value is also what was typed and is no date yet. */
export function TypedDate({ value, onChange, required, ...field }: TypedDateProps) {
  const zone = useTimeZone();
  const boxes = useRef<HTMLDivElement>(null);
  // What is typed here is in the boxes already. What a tab that is gone left half typed comes back into them.
  const [typedHere, setTypedHere] = useState("");
  const shown = isUnread(value) ? value.$typed !== typedHere && value.$typed : value;
  return (
    <div ref={boxes}>
      <DateTimeField
        {...field}
        kind="datetime"
        optional={!required}
        zone={zone}
        value={typeof shown === "string" ? shown : null}
        onChange={onChange}
        onProblem={(problem) => {
          // Before the boxes are there nobody has typed.
          if (problem === undefined || !boxes.current) return;
          const typed = [...boxes.current.querySelectorAll("input")].map((box) => box.value).join(" ").trim();
          if (isUnread(value) && value.$typed === typed) return;
          setTypedHere(typed);
          onChange(unread(typed));
        }}
      />
    </div>
  );
}
