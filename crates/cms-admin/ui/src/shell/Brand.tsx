// Which site this is: the mark of the house and the name of the host.

export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M9 11.5h14M9 16h14M9 20.5h8" stroke="var(--on-accent)" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  );
}

export function Brand() {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Mark className="size-7 shrink-0" />
      <span className="truncate text-md font-semibold">{location.hostname}</span>
    </span>
  );
}
