// The slug of an entry: where it will be found, where that comes from, and whether it is taken.

import { Trans, useLingui } from "@lingui/react/macro";
import { CircleAlert, ExternalLink, RefreshCw } from "lucide-react";
import { useId } from "react";

import { IconButton } from "~/components/Button";
import { addressOf } from "~/content/address";
import { titleField } from "~/content/titleField";

import { LINE } from "../fields/control";
import { elementId } from "../fields/EntryField";
import { issueText } from "../fields/messages";
import { useItem, useIssues, useSession, useValue } from "../model/context";
import { isMade, slugFrom } from "../model/slug";
import { SLUG } from "../model/values";

/** What stays of something that is typed as a slug: what no slug can have becomes a hyphen, or nothing. */
function slugTyped(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, "-")
    .replace(/[^\p{L}\p{N}\p{M}._~-]/gu, "")
    .slice(0, 200);
}

export function Address({ readOnly }: { readOnly: boolean }) {
  const { t } = useLingui();
  const id = useId();
  const session = useSession();
  const item = useItem();
  const value = useValue(SLUG);
  const title = useValue(titleField(session.collection)?.slug ?? "");
  const issues = useIssues(SLUG);
  const slug = typeof value === "string" ? value : "";
  const made = typeof title === "string" ? slugFrom(title) : "";
  const path = addressOf(session.collection, { id: item?.id, locale: session.locale ?? "", slug: slug || made || "…" });
  const isLive = item?.status === "published";
  const described = [path && `${id}-path`, issues.length > 0 && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div id={elementId(SLUG)} className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        <Trans>Slug</Trans>
      </label>
      <span className="flex gap-1.5">
        <input
          id={id}
          dir="auto"
          autoCapitalize="off"
          spellCheck={false}
          className={LINE}
          readOnly={readOnly}
          placeholder={made || t`made from the title`}
          aria-describedby={described || undefined}
          aria-invalid={issues.length > 0 || undefined}
          value={slug}
          onChange={(event) => session.change({ [SLUG]: slugTyped(event.target.value) || null })}
        />
        {!readOnly && made !== "" && <IconButton label={t`Make it from the title`} icon={<RefreshCw />} disabled={isMade(slug, title)} onClick={() => session.change({ [SLUG]: made })} />}
      </span>
      {path && (
        <p id={`${id}-path`} dir="ltr" className="text-sm break-all text-muted rtl:text-end">
          {isLive ? (
            <a href={path} target="_blank" rel="noopener" className="inline-flex items-center gap-1 hover:text-ink hover:underline">
              {path}
              <ExternalLink aria-hidden className="size-3.5" />
            </a>
          ) : (
            path
          )}
        </p>
      )}
      {issues.map((issue, n) => (
        <p key={n} id={`${id}-error`} className="flex gap-1.5 text-sm text-bad">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {issueText(issue)}
        </p>
      ))}
      {isLive && item.slug !== null && item.slug !== slug && (
        <p className="text-sm text-warn">
          <Trans>Links to the old address no longer lead here once this is published.</Trans>
        </p>
      )}
    </div>
  );
}
