// The frame around the control of a field: its label, help, what is wrong with it, and how much of the room is used.

import { Trans } from "@lingui/react/macro";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

import type { Issue } from "~/api/errors";

import { Counter } from "./Counter";
import { issueText } from "./messages";
import { isGroup, lookOf, type ControlProps, type Shaped } from "./shape";

interface FrameProps {
  field: Shaped;
  /** Names the elements of the frame. */
  id: string;
  value: unknown;
  /** What is wrong with the value as a whole. What is wrong inside is said there. */
  issues: Issue[];
  /** A mark beside the label. */
  mark?: ReactNode;
  /** Where the label is only read out. */
  labelHidden?: boolean;
  children: (control: Pick<ControlProps, "id" | "describedBy" | "description" | "isInvalid">) => ReactNode;
}

export function Frame({ field, id, value, issues, mark, labelHidden, children }: FrameProps) {
  const { help } = lookOf(field);
  const isInvalid = issues.length > 0;
  const describedBy = [help && `${id}-help`, isInvalid && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const said = issues.map((issue) => issueText(issue, field.validation));
  const description = [help, ...said].filter(Boolean).join(" ") || undefined;
  const isGrouped = isGroup(field);
  const label = (
    <>
      {field.label}
      {field.required && (
        <span className="text-bad">
          <span aria-hidden> *</span>
          <span className="sr-only">
            {" "}
            <Trans>required</Trans>
          </span>
        </span>
      )}
    </>
  );
  return (
    <div
      className="grid min-w-0 content-start gap-1.5"
      data-field={field.slug}
      {...(isGrouped && { role: "group", "aria-labelledby": `${id}-label`, "aria-describedby": describedBy })}
    >
      <div className={labelHidden ? "sr-only" : "flex items-baseline justify-between gap-3"}>
        {isGrouped ? (
          <span id={`${id}-label`} className="min-w-0 font-medium break-words" dir="auto">
            {label}
          </span>
        ) : (
          <label id={`${id}-label`} htmlFor={id} className="min-w-0 font-medium break-words" dir="auto">
            {label}
          </label>
        )}
        <span className="flex shrink-0 items-center gap-2 text-sm text-muted">
          {mark}
          <Counter rules={field.validation} value={value} />
        </span>
      </div>
      {children({ id, describedBy, description, isInvalid })}
      {help && (
        <p id={`${id}-help`} dir="auto" className="text-sm break-words text-muted">
          {help}
        </p>
      )}
      {isInvalid && (
        <div id={`${id}-error`} className="grid gap-0.5 text-sm text-bad">
          {said.map((text, n) => (
            <p key={n} className="flex gap-1.5">
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              <span>{text}</span>
            </p>
          ))}
        </div>
      )}
    </div>
  );
}
