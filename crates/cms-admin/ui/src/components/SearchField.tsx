// A search box whose text is part of the address.

import { useLingui } from "@lingui/react/macro";
import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { IconButton } from "./Button";
import { Input } from "./Field";

/** How long after the last key the search begins, in milliseconds. */
const PAUSE = 250;

interface SearchFieldProps {
  /** What is searched, as in “Search people”. */
  label: string;
  /** The text in the address. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  maxLength?: number;
}

/** Searches a moment after the last key. */
export function SearchField({ label, value, onChange, maxLength = 100 }: SearchFieldProps) {
  const { t } = useLingui();
  const [text, setText] = useState(value ?? "");
  const [shown, setShown] = useState(value);
  const timer = useRef<number>(undefined);
  // The back button changes the address: the box follows it, unless it is the box that changed the address.
  if (shown !== value) {
    setShown(value);
    if ((value ?? "") !== text.trim()) setText(value ?? "");
  }
  useEffect(() => () => window.clearTimeout(timer.current), []);

  function type(text: string) {
    setText(text);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onChange(text.trim() || undefined), PAUSE);
  }

  return (
    <div role="search" className="relative min-w-0 grow basis-56 sm:max-w-80">
      <Search aria-hidden className="pointer-events-none absolute inset-y-0 start-3 my-auto size-4 text-muted" />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={maxLength}
        onChange={(event) => type(event.target.value)}
        className="ps-9 pe-9 [&::-webkit-search-cancel-button]:hidden"
      />
      {text && <IconButton size="sm" label={t`Clear search`} icon={<X />} onClick={() => type("")} className="absolute! inset-y-0 end-0.5 my-auto" />}
    </div>
  );
}
