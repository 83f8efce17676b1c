// Buttons, and links that look like them.

import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from "react";

import { cx } from "~/lib/cx";

import { Spinner } from "./Spinner";

type Variant = "primary" | "secondary" | "ghost" | "danger";
type Size = "sm" | "md" | "lg";

interface Look {
  /** `primary` for the one thing a screen is for, `danger` for what cannot be taken back. */
  variant?: Variant;
  size?: Size;
  /** An icon before the text, decorative. */
  icon?: ReactNode;
  /** An icon behind the text, as an arrow that leads on. */
  iconAfter?: ReactNode;
  /** As wide as its container. */
  wide?: boolean;
}

const VARIANTS: Record<Variant, string> = {
  primary: "bg-accent text-on-accent shadow-low hover:bg-accent-hover",
  secondary: "border border-line-strong/55 bg-surface text-ink shadow-low hover:bg-hover hover:border-line-strong",
  ghost: "text-ink hover:bg-hover",
  danger: "bg-bad-solid text-on-accent shadow-low hover:bg-bad-solid-hover",
};

const SIZES: Record<Size, string> = {
  sm: "h-8 gap-1.5 px-2.5 text-sm [&_svg]:size-4",
  md: "h-9 gap-2 px-3.5 text-base [&_svg]:size-4",
  lg: "h-11 gap-2.5 px-4 text-md [&_svg]:size-[1.125rem]",
};

function look({ variant = "secondary", size = "md", wide }: Look, more?: string): string {
  return cx(
    "relative inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap no-underline select-none",
    "transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:opacity-50 pointer-coarse:min-h-11",
    VARIANTS[variant],
    SIZES[size],
    wide && "w-full",
    more,
  );
}

type ButtonProps = Look & ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement>; /** Work is under way: it cannot be pressed again, and keeps its width. */ pending?: boolean };

export function Button({ variant, size, icon, iconAfter, wide, pending, className, children, disabled, type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={look({ variant, size, wide }, className)}
      // A button that is busy stays in the order of focus, so that the keyboard does not lose its place.
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      disabled={disabled}
      {...rest}
      onClick={pending ? (event) => event.preventDefault() : rest.onClick}
    >
      {pending && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
      <span className={cx("contents", pending && "[&>*]:invisible")}>
        {icon}
        <span className={cx(pending && "invisible")}>{children}</span>
        {iconAfter}
      </span>
    </button>
  );
}

type AnchorProps = Look & AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };

/** An ordinary link that looks like a button. */
export function ButtonAnchor({ variant, size, icon, iconAfter, wide, className, children, ...rest }: AnchorProps) {
  return (
    <a className={look({ variant, size, wide }, className)} {...rest}>
      {icon}
      <span>{children}</span>
      {iconAfter}
    </a>
  );
}

/** A link to another screen that looks like a button; takes `to`, `params` and `search` as `Link` does. */
export const ButtonLink = createLink(ButtonAnchor);

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> & {
  ref?: Ref<HTMLButtonElement>;
  /** What it does: read out, and shown as a tooltip. */
  label: string;
  icon: ReactNode;
  size?: "sm" | "md";
  danger?: boolean;
};

/** A button that is only an icon. */
export function IconButton({ label, icon, size = "md", danger, className, type = "button", ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        "inline-grid shrink-0 place-items-center rounded-md text-muted transition-colors duration-100 hover:bg-hover disabled:opacity-50 aria-expanded:bg-hover",
        "pointer-coarse:min-h-11 pointer-coarse:min-w-11 [&_svg]:size-4",
        danger ? "hover:bg-bad-soft hover:text-bad" : "hover:text-ink aria-expanded:text-ink",
        size === "sm" ? "size-8" : "size-9",
        className,
      )}
      {...rest}
    >
      {icon}
    </button>
  );
}
