// Tags: typed one after the other, and taken away one by one.

import { Trans, useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";

import { Button, IconButton } from "~/components/Button";
import { Field, Input } from "~/components/Field";

import { LONGEST_TAG, MOST_TAGS, typedTags, withTags, withoutTags } from "../tags";

interface TagFieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  value: readonly string[];
  onChange: (value: string[]) => void;
  autoFocus?: boolean;
  disabled?: boolean;
  /** Nothing can be added. */
  isOnlyRemoving?: boolean;
}

export function TagField({ label, hint, error, value, onChange, autoFocus, disabled, isOnlyRemoving }: TagFieldProps) {
  const { t } = useLingui();
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const typed = typedTags(text);
  const isTooLong = typed.some((tag) => Array.from(tag).length > LONGEST_TAG);
  const isFull = withTags(value, typed).length > MOST_TAGS;
  const problem = isTooLong ? t`A tag has at most ${LONGEST_TAG} characters.` : isFull ? t`There can be at most ${MOST_TAGS} tags.` : error;

  function add() {
    if (typed.length === 0 || isTooLong || isFull) return;
    onChange(withTags(value, typed));
    setText("");
  }

  return (
    <Field label={label} hint={hint} error={problem}>
      {(control) => (
        <div className="grid max-w-control gap-2">
          {value.length > 0 && (
            <ul className="flex flex-wrap gap-1.5">
              {value.map((tag) => (
                <li key={tag} className="inline-flex max-w-full items-center rounded-md border border-line bg-sunken ps-2.5 text-sm">
                  <bdi className="min-w-0 truncate py-1">{tag}</bdi>
                  {!disabled && (
                    <IconButton
                      size="sm"
                      label={t`Remove the tag ${tag}`}
                      icon={<X />}
                      onClick={() => {
                        onChange(withoutTags(value, [tag]));
                        // The button that had the focus goes with its tag.
                        input.current?.focus();
                      }}
                    />
                  )}
                </li>
              ))}
            </ul>
          )}
          {isOnlyRemoving ? (
            <input ref={input} id={control.id} readOnly tabIndex={-1} className="sr-only" value="" />
          ) : (
            <div className="flex gap-2">
              <Input
                {...control}
                ref={input}
                autoFocus={autoFocus}
                disabled={disabled}
                autoComplete="off"
                placeholder={t`Type a tag`}
                value={text}
                onChange={({ target }) => setText(target.value)}
                onBlur={add}
                onKeyDown={(event) => {
                  if ((event.key === "Enter" && text.trim() !== "") || event.key === ",") {
                    if (event.nativeEvent.isComposing) return;
                    event.preventDefault();
                    add();
                  } else if (event.key === "Backspace" && text === "" && value.length > 0) onChange(value.slice(0, -1));
                }}
              />
              <Button disabled={disabled || typed.length === 0} onClick={add}>
                <Trans>Add</Trans>
              </Button>
            </div>
          )}
        </div>
      )}
    </Field>
  );
}
