// What somebody said of a file that it does not say itself, each to be taken back: fields that have another name in it. What else comes to be said of fields is
// one more of these lists.

import { useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import { useId, type ReactNode } from "react";

import { IconButton } from "~/components/Button";

interface DeclaredListProps {
  title: ReactNode;
  items: { name: string; said: ReactNode }[];
  onRemove: (name: string) => void;
}

export function DeclaredList({ title, items, onRemove }: DeclaredListProps) {
  const { t } = useLingui();
  const id = useId();
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h3 id={id} className="font-medium">
        {title}
      </h3>
      <ul className="grid gap-1.5">
        {items.map(({ name, said }) => (
          <li key={name} className="flex items-center justify-between gap-3 rounded-md border border-line bg-sunken ps-3 pe-1">
            <span className="min-w-0 wrap-anywhere">{said}</span>
            <IconButton size="sm" label={t`Take back: ${name}`} icon={<X />} onClick={() => onRemove(name)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
