// How a form looks: the controls of its fields, over values that nobody keeps.

import { useState } from "react";

import type { Values } from "~/editing/merge";

import { isEmpty, type Field } from "../model/values";
import { Arranged } from "./Arranged";
import { Control } from "./Control";
import { Frame } from "./Frame";
import { holds, lookOf, shapedField } from "./shape";

export default function Sketch({ fields }: { fields: Field[] }) {
  const [typed, setTyped] = useState<Values>({});
  const [tab, setTab] = useState("");
  const valueOf = ({ slug, defaultValue }: Field) => (slug in typed ? typed[slug] : isEmpty(defaultValue) ? null : defaultValue);
  const isShown = (field: Field) => {
    const { condition } = lookOf(field);
    const other = condition && fields.find(({ slug }) => slug === condition.field);
    return !condition || holds(condition, other && valueOf(other));
  };
  return (
    <Arranged fields={fields} tab={tab} onTab={setTab} name={(name) => name}>
      {(field) => isShown(field) && <Drawn field={field} value={valueOf(field)} onChange={(value) => setTyped({ ...typed, [field.slug]: value })} />}
    </Arranged>
  );
}

interface DrawnProps {
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
}

function Drawn({ field, value, onChange }: DrawnProps) {
  const shape = shapedField(field);
  return (
    <Frame field={shape} id={`sketch-${field.id}`} value={value} issues={[]}>
      {/* What refers to entries could make one that stays. */}
      {(control) => <Control {...control} field={shape} value={value} onChange={onChange} readOnly={field.type === "reference"} issues={[]} />}
    </Frame>
  );
}
