// A field for a part of an address, made from another field when somebody wants it.

import { useLingui } from "@lingui/react/macro";
import { RefreshCw } from "lucide-react";
import { use } from "react";

import { IconButton } from "~/components/Button";
import { titleField } from "~/content/titleField";

import { SessionContext } from "../model/context";
import { slugFrom } from "../model/slug";
import { lookOf, type ControlProps } from "./shape";
import { LineControl, textOf } from "./Text";

export function SlugControl(props: ControlProps) {
  const { t } = useLingui();
  const session = use(SessionContext);
  const source = session && (session.fields.find(({ slug }) => slug === lookOf(props.field).source) ?? titleField(session.collection));
  const isOwnSource = source?.slug === props.field.slug;
  return (
    <span className="flex gap-1.5">
      <LineControl {...props} />
      {session && source && !isOwnSource && !props.readOnly && (
        <IconButton
          label={t`Make it from “${source.label}”`}
          icon={<RefreshCw />}
          onClick={() => {
            const made = slugFrom(textOf(session.state().values[source.slug]));
            if (made) props.onChange(made);
          }}
        />
      )}
    </span>
  );
}
