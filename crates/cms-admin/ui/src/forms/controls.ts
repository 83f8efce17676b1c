// The controls of a form as they stand in the page.

import { touches } from "./paths";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What is wrong with controls by their own account: empty where they must not be, or what they say of themselves. In our words, not in the browser's bubbles. */
export function mistakes(form: HTMLFormElement, empty: string): Record<string, string> {
  const controls = [...form.elements].filter((control): control is Control => "willValidate" in control && "name" in control && control.name !== "");
  return Object.fromEntries(
    controls.flatMap(({ name, validity, validationMessage }) => (validity.customError ? [[name, validationMessage]] : validity.valueMissing ? [[name, empty]] : [])),
  );
}

/** Puts the focus on the first control in the page that one of the paths is about. */
export function focusFirst(form: HTMLFormElement, paths: string[]): void {
  if (paths.length === 0) return;
  // After the next paint the messages are there to be read out with their field.
  requestAnimationFrame(() => {
    const controls = [...form.querySelectorAll<HTMLElement>("[name]")];
    controls.find((control) => paths.some((path) => touches(path, control.getAttribute("name") ?? "")))?.focus();
  });
}
