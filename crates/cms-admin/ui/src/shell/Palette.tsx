// The command palette: type a few letters of a place, a person or a deed, and go there or have it done.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { CircleUser, Keyboard, Languages, LogOut, Monitor, Moon, Search, Sun } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useDeferredValue, useId, useRef, useState, type KeyboardEvent } from "react";

import { FocusReturn } from "~/components/FocusReturn";
import { cx } from "~/lib/cx";
import { choose, LANGUAGES, type Language } from "~/lib/language";
import { setTheme } from "~/lib/theme";
import { users } from "~/people/queries";
import { useCan } from "~/session/session";
import { useSignOut } from "~/session/useSignOut";

import { useActions } from "./actions";
import { useAddedCommands, type Command } from "./commands";
import { score } from "./fuzzy";
import { usePlaces } from "./usePlaces";

interface Item extends Command {
  group: string;
  /** Address of a screen: it can be opened in a new tab. */
  to?: string;
}

/** How many of the last chosen are offered first. */
const RECENT = 4;
/** How many people are shown: whoever looks for another one types on. */
const PEOPLE = 6;
const KEY = "cms-palette";

interface PaletteProps {
  open: boolean;
  onClose: () => void;
  onHelp: () => void;
}

export function Palette({ open, onClose, onHelp }: PaletteProps) {
  return (
    <Radix.Root open={open} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div data-modal className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[max(0.75rem,12vh)] z-50 mx-auto flex max-h-[min(30rem,76dvh)] max-w-xl animate-enter flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-high outline-none"
        >
          <FocusReturn />
          <Radix.Title className="sr-only">
            <Trans>Search or jump to…</Trans>
          </Radix.Title>
          <Chooser onClose={onClose} onHelp={onHelp} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Chooser({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const { t } = useLingui();
  const id = useId();
  const router = useRouter();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const items = find(useItems(onHelp), typed, t`Recent`);
  // The server has found them already, by parts of names and addresses.
  const { people, isAsking } = usePeople(typed.trim());
  const found = [...items, ...people];

  function run(item: Item | undefined, newTab = false) {
    if (!item) return;
    remember(item.id);
    onClose();
    if (newTab && item.to) window.open(router.buildLocation({ to: item.to }).publicHref, "_blank", "noopener");
    else item.run();
  }

  function move(to: number) {
    const next = (to + found.length) % Math.max(found.length, 1);
    setAt(next);
    list.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: "nearest" });
  }

  function press(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: found.length - 1 };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(found[at], event.ctrlKey || event.metaKey);
    }
  }

  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-[1.125rem] shrink-0 text-muted" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          aria-label={t`Search or jump to…`}
          placeholder={t`Search or jump to…`}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
          className="control-text h-13 min-w-0 grow bg-transparent outline-none"
        />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={t`Results`} className="min-h-0 grow overflow-y-auto p-1.5">
        {found.map((item, index) => (
          <div key={`${item.group} ${item.id}`} role="presentation">
            {item.group !== found[index - 1]?.group && (
              <div role="presentation" className="px-2.5 pt-2.5 pb-1 text-xs font-medium text-faint">
                {item.group}
              </div>
            )}
            <div
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              data-selected={index === at || undefined}
              onPointerMove={() => setAt(index)}
              onClick={(event) => run(item, event.ctrlKey || event.metaKey)}
              className={cx(
                "flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:text-muted",
                index === at && "bg-active",
              )}
            >
              {item.icon}
              <span className="truncate">{item.label}</span>
            </div>
          </div>
        ))}
        {found.length === 0 && !isAsking && (
          <p className="px-2.5 py-8 text-center text-muted">
            <Trans>Nothing matches “{typed}”.</Trans>
          </p>
        )}
      </div>
      <p role="status" className="sr-only">
        {found.length === 0 && !isAsking ? t`No results` : ""}
      </p>
    </>
  );
}

/** The fewest letters that people are looked for by. */
const LEAST = 2;

/** Who is called like what is typed, for whoever may list people. */
function usePeople(typed: string): { people: Item[]; isAsking: boolean } {
  const { t } = useLingui();
  const navigate = useNavigate();
  const may = useCan()("users:read");
  const search = useDeferredValue(typed);
  const isAsked = may && search.length >= LEAST && typed.length >= LEAST;
  // No page of another search stands in for this one: Enter must not open somebody who is not meant.
  const { queryKey, queryFn } = users({ search });
  const { data, isFetching } = useQuery({ queryKey, queryFn, enabled: isAsked });
  if (!isAsked) return { people: [], isAsking: false };
  const people = (data?.items ?? []).slice(0, PEOPLE).map(({ id, name, email }) => ({
    id: `user-${id}`,
    to: `/users/${id}`,
    label: name ? `${name} (${email})` : email,
    icon: <CircleUser aria-hidden />,
    group: t`People`,
    run: () => void navigate({ to: "/users/$id", params: { id } }),
  }));
  return { people, isAsking: isFetching };
}

/** Everything that can be chosen. */
function useItems(onHelp: () => void): Item[] {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const places = usePlaces();
  const onScreen = useAddedCommands();
  const actions = useActions();
  const go = t`Go to`;
  const does = t`Actions`;
  return [
    ...onScreen.map((command) => ({ ...command, group: t`On this page` })),
    ...places.map(({ to, label, words, icon: Icon }) => ({
      id: to,
      to,
      label,
      words: words && i18n._(words),
      icon: <Icon aria-hidden />,
      group: go,
      run: () => void navigate({ to }),
    })),
    ...actions.map((command) => ({ ...command, group: does })),
    { id: "theme-light", label: t`Light theme`, words: t`appearance`, icon: <Sun />, group: does, run: () => setTheme("light") },
    { id: "theme-dark", label: t`Dark theme`, words: t`appearance night`, icon: <Moon />, group: does, run: () => setTheme("dark") },
    { id: "theme-system", label: t`Use the system’s theme`, words: t`appearance`, icon: <Monitor />, group: does, run: () => setTheme("system") },
    ...Object.entries(LANGUAGES).map(([language, name]) => ({
      id: `language-${language}`,
      label: t`Language: ${name}`,
      words: language,
      icon: <Languages />,
      group: does,
      run: () => void choose(language as Language),
    })),
    { id: "help", label: t`Keyboard shortcuts`, words: t`help keys`, icon: <Keyboard />, group: does, run: onHelp },
    { id: "sign-out", label: t`Sign out`, words: t`log out leave`, icon: <LogOut className="rtl:-scale-x-100" />, group: does, run: () => void signOut() },
  ];
}

function find(items: Item[], typed: string, recently: string): Item[] {
  if (!typed.trim()) {
    const recent = recall().flatMap((id) => items.filter((item) => item.id === id)).map((item) => ({ ...item, group: recently }));
    return [...recent, ...items];
  }
  const scored = items.map((item) => ({ item, score: Math.max(score(item.label, typed) * 2, score(item.words ?? "", typed)) }));
  const fitting = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  // Groups stay together, the one with the best hit first.
  const groups = [...new Set(fitting.map(({ item }) => item.group))];
  return groups.flatMap((group) => fitting.filter(({ item }) => item.group === group).map(({ item }) => item));
}

function recall(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

function remember(id: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([id, ...recall().filter((other) => other !== id)].slice(0, RECENT)));
  } catch {
    // Without storage nothing is recent.
  }
}
