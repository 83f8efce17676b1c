// Where fields stand in the form.

import { grouped } from "../model/grouped";
import type { Field } from "../model/values";
import { lookOf } from "./shape";

export interface Group {
  name: string | undefined;
  fields: Field[];
}

export interface Tab {
  name: string | undefined;
  groups: Group[];
}

/** Fields by tab and group, each where its first field stands. */
export function layoutOf(fields: Field[]): Tab[] {
  const tabs = grouped(fields, (field) => lookOf(field).tab);
  return [...tabs].map(([name, inTab]) => {
    const groups: Group[] = [];
    for (const field of inTab) {
      const { group } = lookOf(field);
      const last = groups.at(-1);
      const known = group === undefined ? (last?.name === undefined ? last : undefined) : groups.find((other) => other.name === group);
      if (known) known.fields.push(field);
      else groups.push({ name: group, fields: [field] });
    }
    return { name, groups };
  });
}
