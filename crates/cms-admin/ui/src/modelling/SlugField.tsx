// Where the slug of a collection or a field is typed: a name for programs, spelled as it is.

import { Trans } from "@lingui/react/macro";
import type { ComponentProps } from "react";

import { TextField } from "~/components/Field";

import type { useSlug } from "./useSlug";

interface SlugFieldProps extends Omit<ComponentProps<typeof TextField>, "label" | "onChange"> {
  slug: ReturnType<typeof useSlug>;
  onChange: NonNullable<ComponentProps<typeof TextField>["onChange"]>;
}

export function SlugField({ slug, onChange, ...field }: SlugFieldProps) {
  return (
    <TextField
      label={<Trans>Slug</Trans>}
      maxLength={63}
      dir="ltr"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      className="[&_input]:font-mono"
      {...field}
      onChange={(event) => {
        slug.choose(event.target.value);
        onChange(event);
      }}
    />
  );
}
