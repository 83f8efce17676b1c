// A type in words, and of references whether there are several.

import { useLingui } from "@lingui/react/macro";

import { typeWords } from "../fieldTypes";
import type { Form } from "./retyped";

export function useFormName(): (form: Form) => string {
  const { t, i18n } = useLingui();
  return ({ type, allowMultiple }) => (type === "reference" && allowMultiple ? t`Reference to several entries` : i18n._(typeWords(type).name));
}
