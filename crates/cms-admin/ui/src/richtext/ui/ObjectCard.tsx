// Blocks without text of their own, as cards; and what nobody here knows, which is kept and can be moved, copied and deleted.

import { Trans, useLingui } from "@lingui/react/macro";
import { Box, Braces, FileCode, Image, Images, Link, MousePointerClick, Settings2, type LucideIcon } from "lucide-react";
import { Popover } from "radix-ui";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";

import { foreignOrigin, useIsAskedFor } from "~/components/image/origins";
import { AskForImages, SiteImage } from "~/components/image/SiteImage";
import { cx } from "~/lib/cx";

import { wasPutIn } from "../blocks";
import { typeName } from "../dom";
import { isTyped, type Typed } from "../value";
import { BlockForm, hasSettings } from "./BlockForm";
import { useChange, useLeave } from "./change";
import { useEditor } from "./context";
import { Tool } from "./Toolbar";
import type { Shown } from "./views";

export function ObjectCard({ shown }: { shown: Shown }) {
  const value: unknown = shown.node.attrs.value;
  if (!isTyped(value)) return <Unknown value={value} />;
  switch (value._type) {
    case "break":
      return <Divider />;
    case "image":
      return <Picture block={value} shown={shown} />;
    case "embed":
      return <Embed block={value} shown={shown} />;
    case "htmlBlock":
      return typeof value.html === "string" ? <Html html={value.html} shown={shown} /> : <Unknown value={value} />;
    case "button":
      return <ButtonCard block={value} shown={shown} />;
    case "gallery":
      return <Gallery block={value} />;
    default:
      return <Unknown value={value} />;
  }
}

function Divider() {
  const { t } = useLingui();
  return (
    <div role="img" aria-label={t`Divider`} className="py-2">
      <hr className="border-line-strong" />
    </div>
  );
}

/** Whoever puts a block in goes on in it: what is written there first takes the keyboard. */
function useBegin<T extends HTMLElement>(block: Typed): RefObject<T | null> {
  const first = useRef<T>(null);
  const [isNew] = useState(() => wasPutIn(block));
  useEffect(() => {
    if (isNew) first.current?.focus();
  }, [isNew]);
  return first;
}

/** The frame of a card: what it is, what it says, and what can be set. */
function Card({ icon: Icon, title, children, shown, block, opens }: { icon: LucideIcon; title: ReactNode; children?: ReactNode; shown?: Shown; block?: Typed; /** Begins with its settings. */ opens?: boolean }) {
  return (
    <div className="grid gap-2 rounded-md border border-line bg-sunken px-3 py-2.5 text-base">
      <div className="flex items-center gap-2">
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 grow truncate font-medium">{title}</span>
        {shown && block && <Settings shown={shown} block={block} opens={opens} />}
      </div>
      {children}
    </div>
  );
}

function Settings({ shown, block, opens = false }: { shown: Shown; block: Typed; opens?: boolean | undefined }) {
  const { t } = useLingui();
  const controller = useEditor();
  const change = useChange(shown);
  const isFirst = useRef(opens);
  // Whoever has a panel for it shows the settings there.
  if (controller.isReadOnly || controller.hasPanel || !hasSettings(block)) return null;
  return (
    <Popover.Root defaultOpen={opens}>
      <Popover.Trigger asChild>
        <Tool label={t`Settings`} icon={<Settings2 />} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={t`Settings`}
          onCloseAutoFocus={(event) => {
            if (!isFirst.current) return;
            isFirst.current = false;
            event.preventDefault();
            // Whoever came from the text goes on there, unless they went elsewhere.
            if (document.activeElement === document.body) controller.view.focus();
          }}
          className="z-50 w-80 max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-raised p-3.5 shadow-high"
        >
          <BlockForm block={block} update={change} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const word = (value: unknown): string => (typeof value === "string" ? value : "");

/** The address of a picture that a page may load. */
function sourceOf({ asset }: Typed): string {
  const url = isObject(asset) ? word(asset.url) : "";
  return /^(?:https?:\/)?\/[^\s]*$/i.test(url) ? url : "";
}

function Picture({ block, shown }: { block: Typed; shown: Shown }) {
  const { t } = useLingui();
  const [broken, setBroken] = useState("");
  // It is not there before its address is known, which is asked for there.
  const [isNew] = useState(() => wasPutIn(block));
  const source = sourceOf(block);
  const alt = word(block.alt);
  return (
    <Card icon={Image} title={alt || t`Image`} shown={shown} block={block} opens={isNew}>
      {source === "" || broken === source ? (
        <p className="text-sm text-muted">{source === "" ? <Trans>No image yet. Set its address in the settings.</Trans> : <Trans>The image cannot be shown. It stays where it is.</Trans>}</p>
      ) : (
        <span className="block">
          <SiteImage key={source} src={source} alt={alt} onBroken={() => setBroken(source)} className="max-h-80 max-w-full rounded-sm object-contain" />
        </span>
      )}
      {word(block.caption) && (
        <p dir="auto" className="text-sm text-muted">
          {word(block.caption)}
        </p>
      )}
      {alt === "" && (
        <p className="text-sm text-warn">
          <Trans>No alternative text: people who cannot see the image learn nothing of it.</Trans>
        </p>
      )}
    </Card>
  );
}

function Gallery({ block }: { block: Typed }) {
  const { t } = useLingui();
  const images = Array.isArray(block.images) ? (block.images as Typed[]) : [];
  const sources = images.map((image) => (isObject(image) ? sourceOf(image) : "")).filter((source) => source !== "").slice(0, 12);
  const isAskedFor = useIsAskedFor();
  const foreign = new Map(sources.map((source) => [source, foreignOrigin(source)]));
  const origins = new Set([...foreign.values()].filter((origin) => origin !== undefined).filter((origin) => !isAskedFor(origin)));
  return (
    <Card icon={Images} title={t`Gallery`}>
      <div className="flex flex-wrap gap-2">
        {sources.filter((source) => !origins.has(foreign.get(source) ?? "")).map((source, n) => (
          <SiteImage key={n} src={source} alt="" className="size-16 rounded-sm object-cover" />
        ))}
        {[...origins].map((origin) => (
          <AskForImages key={origin} origin={origin} isSeveral />
        ))}
      </div>
    </Card>
  );
}

/** The host of an address, as people know it. */
function hostOf(address: string): string {
  try {
    return new URL(address).hostname.replace(/^www\./, "");
  } catch {
    return "";
  }
}

function Embed({ block, shown }: { block: Typed; shown: Shown }) {
  const { t } = useLingui();
  const controller = useEditor();
  const change = useChange(shown);
  const leave = useLeave(shown);
  const address = useBegin<HTMLInputElement>(block);
  // Half an address has a host too: the box stays as long as somebody writes in it.
  const [isWriting, setWriting] = useState(false);
  const url = word(block.url);
  const host = hostOf(url);
  return (
    <Card icon={Link} title={host || t`Embed`} shown={shown} block={block}>
      {!controller.isReadOnly && (!host || isWriting) ? (
        <input
          ref={address}
          type="url"
          dir="ltr"
          enterKeyHint="next"
          aria-label={t`Address of what to embed`}
          placeholder="https://"
          value={url}
          onFocus={() => setWriting(true)}
          onBlur={() => setWriting(false)}
          onKeyDown={leave}
          onChange={(event) => change({ url: event.target.value })}
          className="control-text h-9 w-full rounded-md border border-line-strong bg-surface px-3"
        />
      ) : (
        <p dir="ltr" className="truncate text-sm text-muted">
          {url}
        </p>
      )}
      {word(block.caption) && (
        <p dir="auto" className="text-sm text-muted">
          {word(block.caption)}
        </p>
      )}
    </Card>
  );
}

function Html({ html, shown }: { html: string; shown: Shown }) {
  const { t } = useLingui();
  const controller = useEditor();
  const change = useChange(shown);
  const source = useBegin<HTMLTextAreaElement>(shown.node.attrs.value as Typed);
  return (
    <Card icon={FileCode} title="HTML">
      <textarea
        ref={source}
        aria-label={t`HTML`}
        dir="ltr"
        spellCheck={false}
        rows={Math.min(Math.max(html.split("\n").length, 2), 16)}
        value={html}
        readOnly={controller.isReadOnly}
        onChange={(event) => change({ html: event.target.value })}
        className="control-text w-full rounded-md border border-line-strong bg-surface p-2.5 font-mono text-sm"
      />
      <p className="text-sm text-muted">
        <Trans>The site shows it as it is, scripts included, unless it removes them.</Trans>
      </p>
    </Card>
  );
}

function ButtonCard({ block, shown }: { block: Typed; shown: Shown }) {
  const { t } = useLingui();
  const controller = useEditor();
  const change = useChange(shown);
  const leave = useLeave(shown);
  const text = useBegin<HTMLInputElement>(block);
  return (
    <Card icon={MousePointerClick} title={t`Button`} shown={shown} block={block}>
      <div className="flex flex-wrap gap-2">
        <input
          ref={text}
          onKeyDown={leave}
          aria-label={t`Text of the button`}
          placeholder={t`Text of the button`}
          dir="auto"
          value={word(block.text)}
          readOnly={controller.isReadOnly}
          onChange={(event) => change({ text: event.target.value })}
          className="control-text h-9 min-w-32 grow basis-40 rounded-md bg-accent px-3 text-center font-medium text-on-accent placeholder:text-on-accent/75!"
        />
        <input
          type="url"
          onKeyDown={leave}
          aria-label={t`Address of the button`}
          placeholder="https://"
          dir="ltr"
          value={word(block.url)}
          readOnly={controller.isReadOnly}
          onChange={(event) => change({ url: event.target.value })}
          className="control-text h-9 min-w-32 grow basis-48 rounded-md border border-line-strong bg-surface px-3"
        />
      </div>
    </Card>
  );
}

const SHOWN = 4_000;

/** What nobody here knows: its type, what it says, and all of it for whoever looks. */
function Unknown({ value }: { value: unknown }) {
  const { t } = useLingui();
  const isBlock = isTyped(value);
  const says = isObject(value) ? Object.entries(value).filter(([name, part]) => !name.startsWith("_") && (typeof part === "string" || typeof part === "number")) : [];
  const source = JSON.stringify(value, null, 2);
  return (
    <Card icon={isBlock ? Box : Braces} title={isBlock ? typeName(value) : t`Not a block`}>
      {says.length > 0 && (
        <dl className="grid gap-0.5 text-sm">
          {says.slice(0, 4).map(([name, part]) => (
            <div key={name} className="flex gap-2">
              <dt className="shrink-0 text-muted">{name}</dt>
              <dd dir="auto" className="min-w-0 truncate">
                {String(part)}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <details className="text-sm text-muted">
        <summary className="w-fit rounded-sm">
          <Trans>Kept as it is. Show the source.</Trans>
        </summary>
        <pre dir="ltr" className={cx("mt-1.5 max-h-48 overflow-auto font-mono text-xs whitespace-pre-wrap")}>
          {source.length > SHOWN ? `${source.slice(0, SHOWN)}…` : source}
        </pre>
      </details>
    </Card>
  );
}

/** Something within a text that is no text. */
export function InlineCard({ shown }: { shown: Shown }) {
  const value: unknown = shown.node.attrs.value;
  const name = typeName(value);
  const says = isObject(value) ? Object.entries(value).find(([member, part]) => !member.startsWith("_") && (typeof part === "string" || typeof part === "number"))?.[1] : undefined;
  return (
    <span title={JSON.stringify(value).slice(0, 500)} className="inline-flex max-w-48 items-center gap-1 truncate rounded-sm border border-line bg-sunken px-1.5 text-sm text-muted">
      <Box aria-hidden className="size-3 shrink-0" />
      {name}
      {says !== undefined && `: ${says as string}`}
    </span>
  );
}
