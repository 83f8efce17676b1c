// Form fields: a label, a control, a hint, and what is wrong with it. They work alone or with `useForm`'s `field(name)`.

import { CircleAlert } from "lucide-react";
import { useId, type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, type TextareaHTMLAttributes } from "react";

import { Trans } from "@lingui/react/macro";

import { cx } from "~/lib/cx";

interface Described {
  label: ReactNode;
  /** A sentence below the control. */
  hint?: ReactNode;
  /** What is wrong with the value. */
  error?: string | undefined;
  /** Says that the field may stay empty. */
  optional?: boolean;
  /** Reads the label out without showing it. */
  labelHidden?: boolean;
}

interface FieldProps extends Described {
  className?: string | undefined;
  /** Draws the control; what it is given belongs on the control. */
  children: (control: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean | undefined }) => ReactNode;
}

/** The frame around any control. */
export function Field({ label, hint, error, optional, labelHidden, className, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <div className={cx("grid gap-1.5", className)}>
      <label id={`${id}-label`} htmlFor={id} className={cx("flex max-w-control items-baseline justify-between gap-2 text-base font-medium", labelHidden && "sr-only")}>
        {label}
        {optional && (
          <span className="text-sm font-normal text-faint">
            <Trans>optional</Trans>
          </span>
        )}
      </label>
      {children({ id, "aria-describedby": described, "aria-invalid": error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-sm text-bad">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

/** How every control looks that something is typed into or chosen with. Where they shall be wider, a container sets `--container-control`. */
export const CONTROL =
  "control-text w-full max-w-control rounded-md border border-line-strong bg-surface text-ink shadow-low transition-colors duration-100 " +
  "hover:border-muted disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted [&[readonly]]:bg-sunken " +
  "focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-bad pointer-coarse:min-h-11";

export type InputProps = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };

/** A bare text box. Without a `Field` around it, it needs an `aria-label`. */
export function Input({ className, ...rest }: InputProps) {
  return <input dir="auto" className={cx(CONTROL, "h-9 px-3", className)} {...rest} />;
}

/** A labelled text box. */
export function TextField({ label, hint, error, optional, labelHidden, className, ...input }: Described & InputProps) {
  return (
    <Field {...{ label, hint, error, optional, labelHidden, className }}>{(control) => <Input required={!optional} {...control} {...input} />}</Field>
  );
}

type TextAreaProps = Described & TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> };

/** A labelled box for several lines. */
export function TextArea({ label, hint, error, optional, labelHidden, className, ...area }: TextAreaProps) {
  return (
    <Field {...{ label, hint, error, optional, labelHidden, className }}>
      {(control) => <textarea dir="auto" rows={3} required={!optional} className={cx(CONTROL, "px-3 py-2")} {...control} {...area} />}
    </Field>
  );
}

type SelectProps = Described & SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> };

/** A labelled choice of one, drawn by the browser: it is good on phones and with screen readers. Children are `<option>`s. */
export function SelectField({ label, hint, error, optional, labelHidden, className, ...select }: SelectProps) {
  return (
    <Field {...{ label, hint, error, optional, labelHidden, className }}>{(control) => <Select {...control} {...select} />}</Field>
  );
}

/** A bare choice of one. Without a `Field` around it, it needs an `aria-label`. */
export function Select({ className, children, ...rest }: SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }) {
  return (
    <span className={cx("relative block max-w-control", className)}>
      <select className={cx(CONTROL, "h-9 appearance-none ps-3 pe-9")} {...rest}>
        {children}
      </select>
      <svg viewBox="0 0 16 16" aria-hidden className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4 text-muted">
        <path d="m4.5 6.5 3.5 3.5 3.5-3.5" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </span>
  );
}

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type"> & { label: ReactNode; hint?: ReactNode; ref?: Ref<HTMLInputElement> };

/** A box to tick, with its label beside it. */
export function Checkbox({ label, hint, className, ...input }: CheckboxProps) {
  const id = useId();
  return (
    <div className={cx("flex gap-2.5", className)}>
      <input type="checkbox" id={id} aria-describedby={hint ? `${id}-hint` : undefined} className="mt-[0.2rem] size-4 shrink-0" {...input} />
      <div className="grid gap-0.5">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
