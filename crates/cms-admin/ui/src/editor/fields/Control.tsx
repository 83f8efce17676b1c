// The control for a type of field.

import type { ComponentType } from "react";

import { BooleanControl, MultiSelectControl, SelectControl } from "./Choice";
import { DatetimeControl } from "./Datetime";
import { JsonControl } from "./Json";
import { MediaControl } from "./Media";
import { NumberControl } from "./Number";
import { ReferenceControl } from "./Reference";
import { RepeaterControl } from "./Repeater";
import { RichControl } from "./Rich";
import type { ControlProps, FieldType } from "./shape";
import { SlugControl } from "./Slug";
import { AreaControl, LineControl, UrlControl } from "./Text";

const CONTROLS: Record<FieldType, ComponentType<ControlProps>> = {
  string: LineControl,
  text: AreaControl,
  url: UrlControl,
  slug: SlugControl,
  number: NumberControl,
  integer: NumberControl,
  boolean: BooleanControl,
  datetime: DatetimeControl,
  select: SelectControl,
  multiSelect: MultiSelectControl,
  portableText: RichControl,
  image: MediaControl,
  file: MediaControl,
  reference: ReferenceControl,
  json: JsonControl,
  repeater: RepeaterControl,
};

export function Control(props: ControlProps) {
  const Chosen = (CONTROLS as Partial<typeof CONTROLS>)[props.field.type] ?? JsonControl;
  return <Chosen {...props} />;
}
