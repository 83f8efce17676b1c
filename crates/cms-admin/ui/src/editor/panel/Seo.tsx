// What search engines are told, and how a result may look.

import { Trans, useLingui } from "@lingui/react/macro";
import { useId } from "react";

import { addressOf } from "~/content/address";
import { titleIn } from "~/content/titleField";

import { LINE, AREA } from "../fields/control";
import { elementId } from "../fields/EntryField";
import { lengthOf } from "../fields/length";
import { issueText } from "../fields/messages";
import { plainText } from "../fields/plain";
import { useDraft, useIssues, useItem, useSession, useValue } from "../model/context";
import { SLUG, type SeoName } from "../model/values";

/** What search engines usually show, in characters; and what the server takes. */
const TITLE = { shown: 60, most: 200 };
const DESCRIPTION = { shown: 160, most: 500 };

export function Seo({ readOnly }: { readOnly: boolean }) {
  const { t } = useLingui();
  const { collection } = useSession();
  const title = useDraft(({ values }) => titleIn(collection, values) ?? "");
  return (
    <>
      <Result title={title} />
      <Text name="seoTitle" label={t`Title`} placeholder={title} room={TITLE} readOnly={readOnly} />
      <Text name="seoDescription" label={t`Description`} room={DESCRIPTION} isLong readOnly={readOnly} />
      <Text name="seoImage" label={t`Image for previews`} placeholder="https://" readOnly={readOnly} />
      <Text name="seoCanonical" label={t`Preferred address`} placeholder="https://" readOnly={readOnly} />
      <Hidden readOnly={readOnly} />
    </>
  );
}

interface TextProps {
  name: SeoName;
  label: string;
  placeholder?: string;
  room?: { shown: number; most: number };
  isLong?: boolean;
  readOnly: boolean;
}

function Text({ name, label, placeholder, room, isLong, readOnly }: TextProps) {
  const { t } = useLingui();
  const id = useId();
  const session = useSession();
  const value = useValue(name);
  const issues = useIssues(name);
  const text = typeof value === "string" ? value : "";
  const count = lengthOf(text);
  const control = {
    id,
    dir: "auto" as const,
    placeholder,
    readOnly,
    value: text,
    "aria-invalid": issues.length > 0 || undefined,
    "aria-describedby": issues.length > 0 ? `${id}-error` : undefined,
    onChange: ({ target }: { target: HTMLInputElement | HTMLTextAreaElement }) => session.change({ [name]: target.value || null }),
  };
  return (
    <div id={elementId(name)} className="grid gap-1">
      <span className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {room && count > 0 && <span className={count > room.shown ? "text-sm text-warn tabular-nums" : "text-sm text-muted tabular-nums"}>{t`${count} of about ${room.shown}`}</span>}
      </span>
      {isLong ? <textarea rows={3} className={AREA} {...control} /> : <input type="text" className={LINE} {...control} />}
      {issues.map((issue, n) => (
        <p key={n} id={`${id}-error`} className="text-sm text-bad">
          {issueText(issue, { maxLength: room?.most })}
        </p>
      ))}
    </div>
  );
}

function Hidden({ readOnly }: { readOnly: boolean }) {
  const session = useSession();
  const isHidden = useValue("seoNoIndex") === true;
  return (
    <label className="flex items-start gap-2.5 pointer-coarse:min-h-11 pointer-coarse:items-center">
      <input type="checkbox" className="mt-[0.2rem] size-4 shrink-0" checked={isHidden} disabled={readOnly} onChange={({ target }) => session.change({ seoNoIndex: target.checked || null })} />
      <Trans>Ask search engines to leave this out</Trans>
    </label>
  );
}

/** About what a search engine makes of it. */
function Result({ title }: { title: string }) {
  const { t } = useLingui();
  const { collection, fields, locale } = useSession();
  const item = useItem();
  const own = useValue("seoTitle");
  const description = useValue("seoDescription");
  const slug = useValue(SLUG);
  const isHidden = useValue("seoNoIndex") === true;
  const body = useDraft(({ values }) => values[fields.find(({ type }) => type === "portableText")?.slug ?? ""]);
  const path = addressOf(collection, { id: item?.id, locale: locale ?? "", slug: typeof slug === "string" ? slug : "…" }) ?? "";
  const cut = (text: string, most: number) => (lengthOf(text) > most ? `${Array.from(text).slice(0, most).join("")}…` : text);
  const shown = (typeof own === "string" && own) || title || t`Untitled`;
  const told = typeof description === "string" && description !== "" ? description : plainText(Array.isArray(body) ? body.slice(0, 5) : undefined).replace(/\s+/g, " ");
  return (
    <figure className="grid gap-1">
      <div className={isHidden ? "rounded-md border border-line bg-sunken p-3 opacity-60" : "rounded-md border border-line bg-sunken p-3"}>
        <p dir="ltr" className="truncate text-sm text-muted rtl:text-end">
          {location.host}
          {path}
        </p>
        <p dir="auto" className="text-md break-words text-accent-ink">
          {cut(shown, TITLE.shown)}
        </p>
        <p dir="auto" className="text-sm break-words text-muted">
          {told === "" ? <Trans>Without a description, search engines pick some words from the page.</Trans> : cut(told, DESCRIPTION.shown)}
        </p>
      </div>
      <figcaption className="text-sm text-faint">{isHidden ? <Trans>Left out of search results.</Trans> : <Trans>Roughly what a search result will look like.</Trans>}</figcaption>
    </figure>
  );
}
