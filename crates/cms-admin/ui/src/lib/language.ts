// The language of the application: chosen by the person, else by their browser. Catalogs are fetched when they are needed.

import { i18n } from "@lingui/core";

/** Every language with its name in itself. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", es: "Español", ar: "العربية" } as const;

export type Language = keyof typeof LANGUAGES;

interface Catalog {
  messages: Record<string, string>;
}

const CATALOGS = import.meta.glob<Catalog>("../locales/*.ts");
/** Texts that nobody needs before they write. */
const EDITOR = import.meta.glob<Catalog>("../editor/locales/*.ts");
const KEY = "cms-language";

function isLanguage(text: string): text is Language {
  return text in LANGUAGES;
}

/** The language to begin with. */
export function preferred(): Language {
  const wanted = [chosen() ?? "", ...navigator.languages.map((tag) => tag.split("-")[0] ?? "")];
  return wanted.find(isLanguage) ?? "en";
}

function chosen(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** The language that the texts of the editor are there in; none before somebody opens it. */
let writing: string | undefined;

/** Shows the application in a language from now on. */
export async function activate(language: Language): Promise<void> {
  const catalog = await CATALOGS[`../locales/${language}.ts`]?.();
  const more = writing && (await editorTexts(language));
  i18n.loadAndActivate({ locale: language, messages: { ...catalog?.messages, ...more } });
  document.documentElement.lang = language;
  document.documentElement.dir = direction(language);
}

async function editorTexts(language: string): Promise<Catalog["messages"] | undefined> {
  const catalog = await EDITOR[`../editor/locales/${language}.ts`]?.();
  writing = language;
  return catalog?.messages;
}

/** Has the texts of the editor there before it is drawn. */
export async function prepareEditor(): Promise<void> {
  const { locale } = i18n;
  if (writing !== locale) i18n.load(locale, (await editorTexts(locale)) ?? {});
}

/** Chooses a language, and remembers it in this browser. */
export async function choose(language: Language): Promise<void> {
  await activate(language);
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // The choice then holds until the page is closed.
  }
}

/** Where lines of a language begin. */
export function direction(language: string): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}
