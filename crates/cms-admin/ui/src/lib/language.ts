// The language of the application: chosen by the person, else by their browser. Catalogs are fetched when they are needed.

import { i18n } from "@lingui/core";

import { patiently } from "~/lib/lazily";

/** Every language with its name in itself. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", es: "Español", ar: "العربية" } as const;

export type Language = keyof typeof LANGUAGES;

/** Parts of the application that bring texts of their own along. */
export type Part = "editor" | "modelling" | "dashboard" | "shell/palette" | "preview" | "planning" | "explorer" | "media";

const CATALOGS = import.meta.glob<{ messages: Record<string, string> }>(["../locales/*.ts", "../editor/locales/*.ts", "../modelling/locales/*.ts", "../dashboard/locales/*.ts", "../shell/palette/locales/*.ts", "../preview/locales/*.ts", "../planning/locales/*.ts", "../explorer/locales/*.ts", "../media/locales/*.ts"]);
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

/** The parts whose texts are there. */
const parts = new Set<Part>();

/** Shows the application in a language from now on. */
export async function activate(language: Language): Promise<void> {
  const texts = await Promise.all([textsOf(language), ...[...parts].map((part) => textsOf(language, part))]);
  i18n.loadAndActivate({ locale: language, messages: Object.assign({}, ...texts) as Record<string, string> });
  document.documentElement.lang = language;
  document.documentElement.dir = direction(language);
}

/** Fetches the texts of a part; with another language they come along from then on. */
export async function addTexts(part: Part): Promise<void> {
  if (parts.has(part)) return;
  const language = i18n.locale as Language;
  i18n.load(language, await textsOf(language, part));
  parts.add(part);
  // Another one may have been chosen meanwhile.
  if (i18n.locale !== language) await activate(i18n.locale as Language);
}

async function textsOf(language: Language, part?: Part): Promise<Record<string, string>> {
  const fetched = CATALOGS[`../${part ? `${part}/` : ""}locales/${language}.ts`];
  const catalog = await (fetched && patiently(fetched));
  return catalog?.messages ?? {};
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
