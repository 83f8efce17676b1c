// Find and replace, within the text.

import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { ArrowDown, ArrowUp, CaseSensitive, WholeWord, X } from "lucide-react";
import { findNext, findPrev, getMatchHighlights, replaceAll, replaceNext, SearchQuery, setSearchState } from "prosemirror-search";
import { useEffect, useRef, useState } from "react";

import { Button, IconButton } from "~/components/Button";
import { Input } from "~/components/Field";

import { useEditor, useWatched } from "./context";
import { Tool } from "./Toolbar";

export function FindBar({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const controller = useEditor();
  const [search, setSearch] = useState(() => controller.state.doc.textBetween(controller.state.selection.from, controller.state.selection.to, " ").slice(0, 100));
  const [replace, setReplace] = useState("");
  const [caseSensitive, setCaseSensitive] = useState(false);
  const [wholeWord, setWholeWord] = useState(false);
  const [news, setNews] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const count = useWatched((state) => getMatchHighlights(state).find().length);
  const place = useWatched((state) => {
    const { from, to } = state.selection;
    return getMatchHighlights(state).find().findIndex((match) => match.from === from && match.to === to) + 1;
  });

  useEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, []);
  useEffect(() => {
    const query = new SearchQuery({ search, replace, caseSensitive, wholeWord, literal: true });
    controller.view.dispatch(setSearchState(controller.state.tr, query));
  }, [controller, search, replace, caseSensitive, wholeWord]);
  useEffect(
    () => () => {
      if (!controller.view.isDestroyed) controller.view.dispatch(setSearchState(controller.state.tr, new SearchQuery({ search: "" })));
    },
    [controller],
  );

  /** Goes to a match; the keyboard stays here. */
  const go = (command: typeof findNext) => {
    command(controller.state, controller.view.dispatch.bind(controller.view));
    const { node } = controller.view.domAtPos(controller.state.selection.from);
    (node instanceof Element ? node : node.parentElement)?.scrollIntoView({ block: "nearest" });
  };
  const all = () => {
    const replaced = count;
    controller.run(replaceAll);
    setNews(plural(replaced, { one: "Replaced # match.", other: "Replaced # matches." }));
    box.current?.focus();
  };
  const close = () => {
    onClose();
    controller.view.focus();
  };
  return (
    <div
      role="search"
      aria-label={t`Find and replace`}
      className="grid gap-2 border-b border-line bg-sunken px-3 py-2"
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          close();
        }
      }}
    >
      <div className="flex flex-wrap items-center gap-1">
        <div className="min-w-36 grow basis-40">
          <Input
            ref={box}
            aria-label={t`Find`}
            placeholder={t`Find`}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
              setNews("");
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
              event.preventDefault();
              go(event.shiftKey ? findPrev : findNext);
            }}
          />
        </div>
        <Tool label={t`Match case`} icon={<CaseSensitive />} pressed={caseSensitive} onClick={() => setCaseSensitive(!caseSensitive)} />
        <Tool label={t`Whole words`} icon={<WholeWord />} pressed={wholeWord} onClick={() => setWholeWord(!wholeWord)} />
        <Tool label={t`Previous match`} icon={<ArrowUp />} disabled={count === 0} onClick={() => go(findPrev)} />
        <Tool label={t`Next match`} icon={<ArrowDown />} disabled={count === 0} onClick={() => go(findNext)} />
        <p role="status" className="min-w-20 px-1 text-sm text-muted">
          {news || (search === "" ? "" : count === 0 ? t`No matches` : place > 0 ? t`${place} of ${count}` : plural(count, { one: "# match", other: "# matches" }))}
        </p>
        <IconButton size="sm" label={t`Close`} icon={<X />} onClick={close} className="ms-auto" />
      </div>
      {!controller.isReadOnly && (
        <div className="flex flex-wrap items-center gap-2">
          <div className="min-w-36 grow basis-40">
            <Input aria-label={t`Replace with`} placeholder={t`Replace with`} value={replace} onChange={(event) => setReplace(event.target.value)} />
          </div>
          <Button size="sm" disabled={count === 0} onClick={() => go(replaceNext)}>
            {t`Replace`}
          </Button>
          <Button size="sm" disabled={count === 0} onClick={all}>
            {t`Replace all`}
          </Button>
        </div>
      )}
    </div>
  );
}
