// Who is signed in, the look of the application, and the way out.

import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { LogOut, Monitor, Moon, Sun } from "lucide-react";

import { Avatar } from "~/components/Avatar";
import { Badge } from "~/components/Badge";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "~/components/Menu";
import { choose, LANGUAGES, type Language } from "~/lib/language";
import { setTheme, useTheme, type Theme } from "~/lib/theme";
import { roleName } from "~/session/roles";
import { useMe } from "~/session/session";
import { useSignOut } from "~/session/useSignOut";

import { usePlaces } from "./usePlaces";

export function UserMenu() {
  const { t, i18n } = useLingui();
  const me = useMe();
  const theme = useTheme();
  const signOut = useSignOut();
  const places = usePlaces().filter((place) => place.group === "account");
  return (
    <Menu
      trigger={
        <button type="button" aria-label={t`Account menu`} className="rounded-full p-1 hover:bg-hover aria-expanded:bg-hover pointer-coarse:p-1.5">
          <Avatar name={me.name ?? me.email} url={me.avatarUrl} />
        </button>
      }
    >
      <div className="grid max-w-72 gap-0.5 px-2.5 pt-2 pb-2.5">
        <p className="flex items-center justify-between gap-3">
          <span className="truncate font-medium">{me.name ?? me.email}</span>
          <Badge tone="accent">{i18n._(roleName(me.role))}</Badge>
        </p>
        {me.name && <p className="truncate text-sm text-muted">{me.email}</p>}
      </div>
      <MenuSeparator />
      {places.map(({ to, label, icon: Icon }) => (
        <MenuItem key={to} asChild>
          <Link to={to}>
            <Icon aria-hidden />
            <span className="grow">{i18n._(label)}</span>
          </Link>
        </MenuItem>
      ))}
      {places.length > 0 && <MenuSeparator />}
      <MenuLabel>
        <Trans>Theme</Trans>
      </MenuLabel>
      <MenuChoice
        value={theme}
        onChange={(value) => setTheme(value as Theme)}
        options={[
          { value: "system", label: t`System`, icon: <Monitor /> },
          { value: "light", label: t`Light`, icon: <Sun /> },
          { value: "dark", label: t`Dark`, icon: <Moon /> },
        ]}
      />
      <MenuSeparator />
      <MenuLabel>
        <Trans>Language</Trans>
      </MenuLabel>
      <MenuChoice
        value={i18n.locale}
        onChange={(value) => void choose(value as Language)}
        options={Object.entries(LANGUAGES).map(([value, name]) => ({ value, label: <span lang={value}>{name}</span> }))}
      />
      <MenuSeparator />
      <MenuItem icon={<LogOut className="rtl:-scale-x-100" />} onSelect={() => void signOut()}>
        <Trans>Sign out</Trans>
      </MenuItem>
    </Menu>
  );
}
