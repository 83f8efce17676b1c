// What a slash offers, grouped and filtered by what is typed behind it. The keyboard stays in the text.

import { autoUpdate, flip, offset, shift, size, useFloating } from "@floating-ui/react-dom";
import { useLingui } from "@lingui/react";
import { Trans } from "@lingui/react/macro";
import { useEffect, useLayoutEffect, useRef, useState } from "react";

import { cx } from "~/lib/cx";

import { askedBy, dismiss, keys } from "../slash";
import { found, GROUPS, type Item } from "./catalog";
import { useEditor, useWatched } from "./context";

const MAX_HEIGHT = 352;

function fit({ availableHeight, elements }: { availableHeight: number; elements: { floating: HTMLElement } }): void {
  elements.floating.style.maxHeight = `${Math.min(availableHeight, MAX_HEIGHT)}px`;
}

export function SlashMenu() {
  const asked = useWatched(askedBy);
  return asked ? <Choice from={asked.from} query={asked.query} key={asked.from} /> : null;
}

function Choice({ from, query }: { from: number; query: string }) {
  const { _, i18n } = useLingui();
  const controller = useEditor();
  const items = found(query, (words) => i18n._(words));
  const [chosen, choose] = useState(0);
  const at = Math.min(chosen, items.length - 1);
  const list = useRef<HTMLDivElement>(null);
  const id = `${controller.view.dom.id}-slash`;
  const { refs, floatingStyles } = useFloating({
    strategy: "fixed",
    placement: "bottom-start",
    whileElementsMounted: autoUpdate,
    middleware: [offset(6), flip({ padding: 8 }), shift({ padding: 8 }), size({ padding: 8, apply: fit })],
  });

  useLayoutEffect(() => {
    refs.setReference({
      contextElement: controller.view.dom,
      getBoundingClientRect: () => {
        const { left, top, bottom } = controller.view.coordsAtPos(Math.min(from, controller.state.doc.content.size));
        return new DOMRect(left, top, 0, bottom - top);
      },
    });
  }, [controller, from, refs]);

  const run = (item: Item | undefined) => {
    const { view } = controller;
    if (!item) return;
    const asked = askedBy(view.state);
    if (asked) view.dispatch(view.state.tr.delete(asked.from, asked.to));
    controller.run(item.run);
  };

  useEffect(() => {
    keys.handle = (event) => {
      if (event.isComposing) return false;
      if (event.key === "Escape") dismiss(controller.view);
      else if (event.key === "ArrowDown") choose((at + 1) % Math.max(items.length, 1));
      else if (event.key === "ArrowUp") choose((at - 1 + items.length) % Math.max(items.length, 1));
      else if ((event.key === "Enter" || event.key === "Tab") && items[at]) run(items[at]);
      else return false;
      return true;
    };
    return () => {
      keys.handle = null;
    };
  });

  // Whoever goes on with another word and finds nothing meant a slash.
  const isText = query.includes(" ") && items.length === 0;
  useEffect(() => {
    if (isText) dismiss(controller.view);
  }, [isText, controller]);

  // Who does not see the list hears what is chosen in it.
  useEffect(() => {
    const { dom } = controller.view;
    dom.setAttribute("aria-controls", id);
    dom.setAttribute("aria-activedescendant", items[at] ? `${id}-${items[at].id}` : "");
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    return () => {
      dom.removeAttribute("aria-controls");
      dom.removeAttribute("aria-activedescendant");
    };
  });

  const groups = [...new Set(items.map(({ group }) => group))];
  return (
    <div
      ref={(element) => {
        refs.setFloating(element);
        list.current = element;
      }}
      style={floatingStyles}
      id={id}
      role="listbox"
      aria-label={_(GROUPS.blocks)}
      className="z-50 w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-high"
    >
      {items.length === 0 && (
        <p className="px-2.5 py-2 text-sm text-muted">
          <Trans>Nothing found</Trans>
        </p>
      )}
      {groups.map((group) => (
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <p id={`${id}-${group}`} role="presentation" className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
            {_(GROUPS[group])}
          </p>
          {items.map((item, n) =>
            item.group === group ? (
              <div
                key={item.id}
                id={`${id}-${item.id}`}
                role="option"
                aria-selected={n === at}
                // The keyboard stays in the text.
                onPointerDown={(event) => event.preventDefault()}
                onMouseDown={(event) => event.preventDefault()}
                onPointerMove={() => n !== at && choose(n)}
                onClick={() => run(item)}
                className={cx("flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 select-none pointer-coarse:min-h-11", n === at && "bg-hover")}
              >
                <item.icon aria-hidden className="size-4 shrink-0 text-muted" />
                <span className="grow">{_(item.label)}</span>
                {item.shortcut && (
                  <kbd dir="ltr" className="font-mono text-xs text-faint">
                    {item.shortcut.trim()}
                  </kbd>
                )}
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}
