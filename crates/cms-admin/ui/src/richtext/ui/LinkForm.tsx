// Where a link leads: an address, or an entry, which is meant whatever its address becomes.

import { Trans, useLingui } from "@lingui/react/macro";
import { FileText, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { Button, IconButton } from "~/components/Button";
import { Checkbox, TextField } from "~/components/Field";

import { isLinkAddress } from "../address";
import { linkAt, setLink, unlink, type LinkMembers } from "../links";
import type { Typed } from "../value";
import { useEditor } from "./context";
import { EntrySearch, type Entry } from "./EntrySearch";
import { useBeside } from "./floating";

/** An address as people type it, as it is stored. */
function completed(text: string): string {
  const address = text.trim();
  if (/^[\w.+-]+@[\w-]+\.[\w.-]+$/.test(address)) return `mailto:${address}`;
  if (/^(?:[\w-]+\.)+[a-z]{2,}(?:[/?#:].*)?$/i.test(address)) return `https://${address}`;
  return address;
}

export function LinkForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const controller = useEditor();
  const [at] = useState(() => linkAt(controller.state));
  const [{ from, to }] = useState(() => at ?? controller.state.selection);
  const old: Partial<Typed> = at?.definition ?? {};
  const [href, setHref] = useState(typeof old.href === "string" ? old.href : "");
  const [title, setTitle] = useState(typeof old.title === "string" ? old.title : "");
  const [isBlank, setIsBlank] = useState(old.blank === true);
  const [entry, setEntry] = useState<Entry | null>(() => entryOf(old));
  const [problem, setProblem] = useState<string>();
  const { refs, floatingStyles } = useBeside(from, to, "bottom-start");
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    form.current?.querySelector("input")?.focus();
    const outside = (event: PointerEvent) => {
      if (!form.current?.contains(event.target as globalThis.Node)) onClose();
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [onClose]);

  const close = () => {
    onClose();
    controller.view.focus();
  };
  const apply = () => {
    const address = entry ? href || entry.address : completed(href);
    const isMissing = address === "";
    if (isMissing || !isLinkAddress(address)) {
      setProblem(isMissing ? t`Type an address, or choose an entry.` : t`This address cannot be used for a link. It may begin with http, https, mailto or tel, or with a slash.`);
      return;
    }
    const link: LinkMembers = { href: address, title, blank: isBlank, reference: entry ? { collection: entry.collection, id: entry.id } : undefined };
    onClose();
    controller.run((state, dispatch) => {
      dispatch?.(setLink(state, link, at && linkAt(state) ? linkAt(state) : null, entry?.title).scrollIntoView());
      return true;
    });
  };
  const remove = () => {
    onClose();
    controller.run((state, dispatch) => {
      dispatch?.(unlink(state));
      return true;
    });
  };

  return (
    <form
      ref={(element) => {
        refs.setFloating(element);
        form.current = element;
      }}
      style={floatingStyles}
      role="dialog"
      aria-label={t`Link`}
      // What is sent here is not the page's form.
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        apply();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
      className="z-50 grid w-88 max-w-[calc(100vw-2.5rem)] gap-3 rounded-lg border border-line bg-raised p-3.5 shadow-high"
    >
      {entry ? (
        <div className="grid gap-1">
          <span className="font-medium">
            <Trans>Links to</Trans>
          </span>
          <p className="flex items-center gap-2 rounded-md border border-line bg-sunken py-1 ps-2.5 pe-1">
            <FileText aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="min-w-0 grow truncate" dir="auto">
              {entry.title}
            </span>
            <IconButton size="sm" label={t`Choose something else`} icon={<X />} onClick={() => setEntry(null)} />
          </p>
          <p className="text-sm text-muted">
            <Trans>The link follows the entry when its address changes.</Trans>
          </p>
        </div>
      ) : (
        <>
          <TextField
            label={t`Address, or the name of an entry`}
            value={href}
            error={problem}
            dir="auto"
            inputMode="url"
            autoComplete="off"
            onChange={(event) => {
              setHref(event.target.value);
              setProblem(undefined);
            }}
          />
          <EntrySearch
            query={href}
            onChoose={(chosen) => {
              setEntry(chosen);
              setHref(chosen.address);
              setProblem(undefined);
            }}
          />
        </>
      )}
      <TextField label={t`Title`} optional value={title} onChange={(event) => setTitle(event.target.value)} />
      <Checkbox label={t`Open in a new tab`} checked={isBlank} onChange={(event) => setIsBlank(event.target.checked)} />
      <div className="flex flex-wrap justify-end gap-2">
        {at && (
          <Button size="sm" variant="ghost" className="me-auto" onClick={remove}>
            <Trans>Remove link</Trans>
          </Button>
        )}
        <Button size="sm" onClick={close}>
          <Trans>Cancel</Trans>
        </Button>
        <Button size="sm" variant="primary" type="submit">
          <Trans>Apply</Trans>
        </Button>
      </div>
    </form>
  );
}

/** The entry that a stored link means. */
function entryOf({ reference, href }: Partial<Typed>): Entry | null {
  const { collection, id } = (typeof reference === "object" && reference !== null ? reference : {}) as { collection?: unknown; id?: unknown };
  if (typeof collection !== "string" || typeof id !== "string") return null;
  const address = typeof href === "string" ? href : "";
  return { collection, id, title: address || id, address };
}
