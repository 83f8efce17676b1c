// A field of the open entry. Typing draws this one anew, and no other.

import { memo, useCallback, useId } from "react";

import { useDraft, useIssues, useSession, useValue } from "../model/context";
import type { Field } from "../model/values";
import { Control } from "./Control";
import { Frame } from "./Frame";
import { holds, lookOf, shapedField, type Shaped } from "./shape";

const shapes = new WeakMap<Field, Shaped>();

function shapeOf(field: Field): Shaped {
  let shape = shapes.get(field);
  if (!shape) shapes.set(field, (shape = shapedField(field)));
  return shape;
}

/** Names the element of a field, to jump to it. */
export function elementId(slug: string): string {
  return `field-${slug}`;
}

export const EntryField = memo(function EntryField({ field, readOnly }: { field: Field; readOnly: boolean }) {
  const { condition } = lookOf(field);
  const isShown = useDraft(({ values }) => !condition || holds(condition, values[condition.field]));
  return isShown ? <Shown field={field} readOnly={readOnly} /> : null;
});

function Shown({ field, readOnly }: { field: Field; readOnly: boolean }) {
  const session = useSession();
  const id = useId();
  const value = useValue(field.slug);
  const issues = useIssues(field.slug);
  const shape = shapeOf(field);
  const onChange = useCallback((value: unknown) => session.change({ [field.slug]: value }), [session, field.slug]);
  // Those inside rows are said in the rows.
  const isInside = ({ path }: { path: string }) => shape.type === "repeater" && /^(data\.)?\w+\.\d+\./.test(path);
  const inside = issues.filter(isInside).map((issue) => ({ ...issue, path: issue.path.replace(/^(data\.)?\w+\./, "") }));
  return (
    <div id={elementId(field.slug)} className="scroll-mt-24">
      <Frame field={shape} id={id} value={value} issues={issues.filter((issue) => !isInside(issue))}>
        {(control) => <Control {...control} field={shape} value={value} onChange={onChange} readOnly={readOnly} issues={inside} />}
      </Frame>
    </div>
  );
}
