// What the palette finds, in groups. The focus stays in the box; the keys that are pressed there arrive here.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from "react";

import { messageOf } from "~/api/errors";
import { Button } from "~/components/Button";
import { Spinner } from "~/components/Spinner";
import { cx } from "~/lib/cx";
import { useMe } from "~/session/session";

import { modKey } from "../keys";
import { remember } from "./recent";
import { atFirst, fitting, type Group, type Item } from "./sections";
import { useFound } from "./useFound";
import { useItems } from "./useItems";
import { useRecent } from "./useRecent";

const HEADINGS: Record<Group, MessageDescriptor> = {
  recent: msg`Recent`,
  page: msg`On this page`,
  go: msg`Go to`,
  create: msg`Create`,
  actions: msg`Actions`,
  entries: msg`Entries`,
  people: msg`People`,
  lists: msg`In lists`,
};

const HINTS: { keys: string; words: MessageDescriptor }[] = [
  { keys: "↑↓", words: msg`Up and down` },
  { keys: "↵", words: msg`Choose` },
  { keys: modKey("↵"), words: msg`Open in a new tab` },
];

/** How far a page of keys goes, in options. */
const PAGE = 8;

interface ResultsProps {
  /** Of the list; options are named after it. */
  id: string;
  typed: string;
  /** Takes the keys that are pressed in the box. */
  keys: Ref<(event: KeyboardEvent) => void>;
  /** Tells which option is chosen by Enter. */
  onActive: (id: string | undefined) => void;
  onThere: (isThere: boolean) => void;
  onClose: () => void;
  onHelp: () => void;
}

export function Results({ id, typed, keys, onActive, onThere, onClose, onHelp }: ResultsProps) {
  const { t, i18n } = useLingui();
  const me = useMe();
  const router = useRouter();
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  // By what it is, and not by its place: what comes later may stand before it. Whoever types on begins at the first again.
  const [moved, setMoved] = useState<{ typed: string; to: string }>();
  const items = useItems(onHelp);
  const { known, isKnown, late, isAsking, error, again } = useFound(typed);
  const recent = useRecent([...items, ...known], isKnown);
  const sections = typed.trim() ? fitting([...items, ...known], late, typed) : atFirst(items, recent);
  const options = sections.flatMap(({ group, items }) => items.map((item) => ({ item, key: `${group} ${item.id}` })));
  const at = Math.max(0, moved?.typed === typed ? options.findIndex(({ key }) => key === moved.to) : 0);
  const count = options.length;
  const active = count > 0 ? `${id}-${at}` : undefined;

  useEffect(() => onActive(active), [active, onActive]);
  useEffect(() => {
    onThere(true);
    return () => onThere(false);
  }, [onThere]);

  function run(item: Item | undefined, isNewTab = false) {
    if (!item) return;
    if (item.isKept) remember(me.id, item.id);
    onClose();
    if (item.to && isNewTab) window.open(router.buildLocation({ to: item.to, search: item.search }).publicHref, "_blank", "noopener");
    else if (item.to) void navigate({ to: item.to, search: item.search });
    else item.run();
  }

  function move(to: number) {
    const key = options[to]?.key;
    if (key === undefined) return;
    setMoved({ typed, to: key });
    list.current?.querySelectorAll('[role="option"]')[to]?.scrollIntoView({ block: "nearest" });
  }

  useImperativeHandle(keys, () => (event) => {
    const steps: Record<string, number> = {
      ArrowDown: (at + 1) % Math.max(count, 1),
      ArrowUp: (at - 1 + count) % Math.max(count, 1),
      PageDown: Math.min(at + PAGE, count - 1),
      PageUp: Math.max(at - PAGE, 0),
      // In a text that is there they move the caret, as everywhere.
      ...(typed ? {} : { Home: 0, End: count - 1 }),
    };
    const to = steps[event.key];
    const isEnter = event.key === "Enter" && !event.nativeEvent.isComposing;
    if (to === undefined && !isEnter) return;
    event.preventDefault();
    if (to !== undefined) move(to);
    else run(options[at]?.item, event.ctrlKey || event.metaKey);
  });

  // Where it could be looked on is no hit.
  const isEmpty = !isAsking && !error && sections.every(({ group }) => group === "lists");
  return (
    <>
      {isEmpty && (
        <div className="grid gap-1.5 px-5 py-8 text-center text-muted">
          <p className="wrap-anywhere text-ink">
            <Trans>Nothing matches “{typed}”.</Trans>
          </p>
          <p>
            <Trans>Try a word of a title, a screen, or what you want to do, such as “new” or “theme”.</Trans>
          </p>
        </div>
      )}
      <div ref={list} id={id} role="listbox" aria-label={t`Results`} aria-busy={isAsking} className="min-h-0 grow scroll-py-9 overflow-y-auto p-1.5 empty:hidden">
        {sections.map(({ group, items }) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <div id={`${id}-${group}`} role="presentation" className="px-2.5 pt-2.5 pb-1 text-xs font-medium text-faint">
              {i18n._(HEADINGS[group])}
            </div>
            {items.map((item) => {
              const key = `${group} ${item.id}`;
              const index = options.findIndex((option) => option.key === key);
              return (
                <div
                  key={key}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  data-selected={index === at || undefined}
                  onPointerMove={() => index !== at && setMoved({ typed, to: key })}
                  onClick={(event) => run(item, event.ctrlKey || event.metaKey)}
                  onAuxClick={(event) => event.button === 1 && item.to && run(item, true)}
                  className={cx(
                    "flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted",
                    index === at && "bg-active",
                  )}
                >
                  {item.icon}
                  <span className="flex min-w-0 grow">
                    <span dir="auto" className="min-w-0 truncate">
                      {item.label}
                    </span>
                  </span>
                  {item.hint && <bdi className="max-w-[40%] shrink-0 truncate text-sm text-muted">{item.hint}</bdi>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {error !== null && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-2.5 text-sm text-muted">
          <span>
            <Trans>Not everything could be searched.</Trans> {messageOf(error)}
          </span>
          <Button size="sm" onClick={again}>
            <Trans>Try again</Trans>
          </Button>
        </div>
      )}
      <p
        aria-hidden
        className={cx("mt-auto flex min-h-9 shrink-0 flex-wrap items-center gap-x-4 border-t border-line bg-sunken px-4 py-1.5 text-xs text-muted", !isAsking && "max-sm:hidden pointer-coarse:hidden")}
      >
        {HINTS.map(({ keys, words }) => (
          <span key={keys} className="max-sm:hidden pointer-coarse:hidden">
            <kbd>{keys}</kbd> {i18n._(words)}
          </span>
        ))}
        {isAsking && (
          <span className="ms-auto flex items-center gap-2">
            <Spinner className="size-3.5" /> <Trans>Searching…</Trans>
          </span>
        )}
      </p>
      <p role="status" className="sr-only">
        {isAsking ? t`Searching…` : isEmpty ? t`No results` : typed.trim() ? t`Results: ${count}` : ""}
      </p>
    </>
  );
}
