// One field of a large form: it is drawn when its own value or problem changes, and not with every other.

import { useFieldArray, useFormState, useWatch, type ArrayPath, type Control, type FieldValues, type Path, type PathValue } from "react-hook-form";

import { at } from "./paths";
import { messageIn } from "./useForm";

interface Store<V extends FieldValues> {
  control: Control<V>;
  set: <P extends Path<V>>(path: P, value: PathValue<V, P>) => void;
}

/** The value at a path, what is wrong with it, and how to change it. */
export function useField<V extends FieldValues, P extends Path<V>>(form: Store<V>, path: P) {
  const value = useWatch({ control: form.control, name: path });
  const { errors } = useFormState({ control: form.control, name: path });
  return { name: path, value, error: messageIn(at(errors, path)), onChange: (value: PathValue<V, P>) => form.set(path, value) };
}

/** The items of a list at a path, each with a key that stays with it, and what can be done with the list. */
export function useList<V extends FieldValues, P extends ArrayPath<V>>(form: Store<V>, path: P) {
  const { fields, append, insert, remove, move, replace } = useFieldArray({ control: form.control, name: path, keyName: "key" });
  return { items: fields, append, insert, remove, move, replace };
}
