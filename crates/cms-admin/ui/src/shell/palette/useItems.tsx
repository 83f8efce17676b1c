// What can be chosen without asking the server: what the open screen does, the places, what can be begun, and what concerns the application itself.

import { useLingui } from "@lingui/react/macro";
import { Keyboard, Languages, LogOut, Monitor, Moon, Sun } from "lucide-react";

import { choose, LANGUAGES, type Language } from "~/lib/language";
import { setTheme } from "~/lib/theme";
import { useSignOut } from "~/session/useSignOut";

import { useAddedCommands } from "../commands";
import { usePlaces } from "../usePlaces";
import type { Item } from "./sections";
import { useBeginnings } from "./useBeginnings";

const nothing = () => undefined;

export function useItems(onHelp: () => void): Item[] {
  const { t, i18n } = useLingui();
  const signOut = useSignOut();
  const onScreen = useAddedCommands().map((command): Item => ({ ...command, group: "page" }));
  const places = usePlaces().map(
    ({ to, label, words, icon: Icon }): Item => ({ id: to, group: "go", to, label, words: words && i18n._(words), icon: <Icon aria-hidden />, isKept: true, run: nothing }),
  );
  const does = (id: string, label: string, words: string, icon: Item["icon"], run: () => void): Item => ({ id, group: "actions", label, words, icon, run });
  return [
    ...onScreen,
    ...places,
    ...useBeginnings(),
    does("theme-light", t`Light theme`, t`appearance theme`, <Sun aria-hidden />, () => setTheme("light")),
    does("theme-dark", t`Dark theme`, t`appearance theme night`, <Moon aria-hidden />, () => setTheme("dark")),
    does("theme-system", t`Use the system’s theme`, t`appearance theme`, <Monitor aria-hidden />, () => setTheme("system")),
    ...Object.entries(LANGUAGES).map(([language, name]) => does(`language-${language}`, t`Language: ${name}`, language, <Languages aria-hidden />, () => void choose(language as Language))),
    does("help", t`Keyboard shortcuts`, t`help keys`, <Keyboard aria-hidden />, onHelp),
    does("sign-out", t`Sign out`, t`log out leave`, <LogOut aria-hidden className="rtl:-scale-x-100" />, () => void signOut()),
  ];
}
