// The entry in other languages: which there are, how they stand, and the way to a new one.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { Badge } from "~/components/Badge";
import { Loaded, Skeleton } from "~/components/states";
import { useLocales } from "~/content/site";
import { STATUSES } from "~/content/status";

import { useItem, useSession } from "../model/context";
import type { Item } from "../model/values";
import { translations } from "../queries";

export function Translations({ canTranslate }: { canTranslate: boolean }) {
  const item = useItem();
  const { collection } = useSession();
  if (!item) {
    return (
      <p className="text-muted">
        <Trans>You can translate this once it is saved.</Trans>
      </p>
    );
  }
  return <Known item={item} collection={collection.slug} canTranslate={canTranslate} />;
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

function Known({ item, collection, canTranslate }: { item: Item; collection: string; canTranslate: boolean }) {
  const { i18n, t } = useLingui();
  const languageName = useLanguageName();
  const query = useQuery(translations({ collection, id: item.id }));
  const locales = useLocales();
  return (
    <Loaded query={query} skeleton={<Skeleton className="h-16" />}>
      {({ translations: known }) => {
        const missing = locales.filter((locale) => !known.some((one) => one.locale === locale));
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
                    <Link to="/content/$collection/$id" params={{ collection, id: one.id }} className="inline-flex items-center rounded-sm text-accent-ink underline underline-offset-2 pointer-coarse:min-h-11">
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
                      className="ms-auto inline-flex items-center rounded-sm text-sm text-muted underline underline-offset-2 hover:text-ink pointer-coarse:min-h-11"
                    >
                      <Trans>Side by side</Trans>
                    </Link>
                  )}
                </li>
              ))}
              {canTranslate &&
                missing.map((locale) => (
                  <li key={locale} className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <span>{languageName(locale)}</span>
                    <code className="text-sm text-muted">{locale}</code>
                    <Link
                      to="/content/$collection/$id"
                      params={{ collection, id: "new" }}
                      search={{ locale, translationOf: item.id }}
                      aria-label={t`Translate into ${languageName(locale)}`}
                      className="ms-auto inline-flex items-center rounded-sm text-sm text-accent-ink underline underline-offset-2 pointer-coarse:min-h-11"
                    >
                      <Trans>Translate</Trans>
                    </Link>
                  </li>
                ))}
            </ul>
            {canTranslate && locales.length > 1 && missing.length === 0 && (
              <p className="text-sm text-muted">
                <Trans>It is there in every language of the site.</Trans>
              </p>
            )}
            {locales.length === 1 && (
              <p className="text-sm text-muted">
                <Trans>The site has one language. Others are added in its configuration.</Trans>
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
