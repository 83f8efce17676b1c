// The entry in other languages: which there are, how they stand, and the way to a new one.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Languages } from "lucide-react";
import { useState } from "react";

import { Badge } from "~/components/Badge";
import { Button, ButtonLink } from "~/components/Button";
import { Loaded, Skeleton } from "~/components/states";

import { LINE } from "../fields/control";
import { useItem, useSession } from "../model/context";
import { STATUSES } from "../model/status";
import type { Item } from "../model/values";
import { translations } from "../queries";

export function Translations({ canCreate }: { canCreate: boolean }) {
  const item = useItem();
  const { collection } = useSession();
  if (!item) {
    return (
      <p className="text-muted">
        <Trans>You can translate this once it is saved.</Trans>
      </p>
    );
  }
  return <Known item={item} collection={collection.slug} canCreate={canCreate} />;
}

/** The name of a language in the language of the application. */
export function useLanguageName(): (locale: string) => string {
  const { i18n } = useLingui();
  return (locale) => {
    try {
      return new Intl.DisplayNames(i18n.locale, { type: "language" }).of(locale) ?? locale;
    } catch {
      return locale;
    }
  };
}

function Known({ item, collection, canCreate }: { item: Item; collection: string; canCreate: boolean }) {
  const { i18n, t } = useLingui();
  const languageName = useLanguageName();
  const query = useQuery(translations({ collection, id: item.id }));
  const [locale, setLocale] = useState("");
  return (
    <Loaded query={query} skeleton={<Skeleton className="h-16" />}>
      {({ translations: known }) => {
        const isGood = /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/.test(locale) && !known.some((one) => one.locale.toLowerCase() === locale.toLowerCase());
        return (
          <>
            <ul className="grid gap-1">
              {known.map((one) => (
                <li key={one.id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  {one.id === item.id ? (
                    <span aria-current="true" className="font-medium">
                      {languageName(one.locale)}
                    </span>
                  ) : (
                    <Link to="/content/$collection/$id" params={{ collection, id: one.id }} className="rounded-sm text-accent-ink underline underline-offset-2 pointer-coarse:min-h-11">
                      {languageName(one.locale)}
                    </Link>
                  )}
                  <code className="text-sm text-muted">{one.locale}</code>
                  <Badge tone={STATUSES[one.status].tone}>{i18n._(STATUSES[one.status].label)}</Badge>
                  {one.id !== item.id && (
                    <Link
                      to="/content/$collection/$id"
                      params={{ collection, id: item.id }}
                      search={{ beside: one.id }}
                      className="ms-auto rounded-sm text-sm text-muted underline underline-offset-2 hover:text-ink"
                    >
                      <Trans>Side by side</Trans>
                    </Link>
                  )}
                </li>
              ))}
            </ul>
            {canCreate && (
              <div className="flex items-end gap-2">
                <label className="grid min-w-0 grow gap-1 text-sm">
                  <span className="text-muted">
                    <Trans>Translate into</Trans>
                  </span>
                  <input className={LINE} list="editor-locales" dir="ltr" placeholder={t`Language code, as in fr`} value={locale} onChange={(event) => setLocale(event.target.value.trim())} />
                  <datalist id="editor-locales">
                    {["ar", "de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt", "tr", "uk", "zh"]
                      .filter((code) => !known.some((one) => one.locale === code))
                      .map((code) => (
                        <option key={code} value={code}>
                          {languageName(code)}
                        </option>
                      ))}
                  </datalist>
                </label>
                {isGood ? (
                  <ButtonLink icon={<Languages />} to="/content/$collection/$id" params={{ collection, id: "new" }} search={{ locale, translationOf: item.id }}>
                    <Trans>Translate</Trans>
                  </ButtonLink>
                ) : (
                  <Button icon={<Languages />} disabled>
                    <Trans>Translate</Trans>
                  </Button>
                )}
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
