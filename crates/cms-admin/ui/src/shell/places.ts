// The screens that navigation, palette and shortcuts lead to, declared once.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { AppWindow, AtSign, KeyRound, LayoutDashboard, ListChecks, MailPlus, Scale, ScrollText, ShieldCheck, Unplug, UserRound, Users, type LucideIcon } from "lucide-react";

import type { Permission } from "~/api/types";

export interface Place {
  to: string;
  label: MessageDescriptor;
  icon: LucideIcon;
  group: Group;
  /** Permission that the screen needs. */
  permission?: Permission;
  /** Whether it is about the site's own ways in, which are switched off behind an access gateway. */
  waysIn?: true;
  /** Letter after `g` that leads there. */
  key?: string;
  /** Other words that people may look for it by. */
  words?: MessageDescriptor;
}

export type Group = "start" | "people" | "access" | "system" | "account";

/** Headings of the groups of the navigation, in its order. The first has none. */
export const GROUPS: { id: Group; label?: MessageDescriptor }[] = [
  { id: "start" },
  { id: "people", label: msg`People` },
  { id: "access", label: msg`Access` },
  { id: "system", label: msg`System` },
  { id: "account", label: msg`Your account` },
];

export const PLACES: Place[] = [
  { to: "/", label: msg`Dashboard`, icon: LayoutDashboard, group: "start", key: "d", words: msg`home start overview` },
  { to: "/users", label: msg`Users`, icon: Users, group: "people", permission: "users:read", key: "u", words: msg`people members roles accounts` },
  { to: "/invitations", label: msg`Invitations`, icon: MailPlus, group: "people", permission: "users:invite", waysIn: true, key: "i", words: msg`invite new user` },
  { to: "/domains", label: msg`Sign-up domains`, icon: AtSign, group: "people", permission: "auth:manage_connections", waysIn: true, words: msg`allowed e-mail domains registration` },
  { to: "/oauth-clients", label: msg`Applications`, icon: AppWindow, group: "access", permission: "auth:manage_connections", words: msg`oauth clients integrations` },
  { to: "/policies", label: msg`Policies`, icon: Scale, group: "access", permission: "users:read", words: msg`rules settings security configuration lock out` },
  { to: "/audit", label: msg`Audit log`, icon: ScrollText, group: "access", permission: "audit:read", key: "l", words: msg`history events activity log` },
  { to: "/jobs", label: msg`Jobs`, icon: ListChecks, group: "system", permission: "jobs:manage", key: "j", words: msg`background tasks work queue progress servers` },
  { to: "/account", label: msg`Profile`, icon: UserRound, group: "account", key: "p", words: msg`name e-mail me account` },
  { to: "/account/security", label: msg`Sign-in and security`, icon: ShieldCheck, group: "account", key: "s", words: msg`passkeys sessions devices connections` },
  { to: "/account/tokens", label: msg`Access tokens`, icon: KeyRound, group: "account", key: "t", words: msg`api keys personal tokens` },
  { to: "/account/apps", label: msg`Connected applications`, icon: Unplug, group: "account", words: msg`grants oauth consent agents` },
];
