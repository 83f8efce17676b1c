// Scopes in words: what a program may do with what it is given.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

import type { Scope } from "~/api/types";

interface ScopeWords {
  scope: Scope;
  name: MessageDescriptor;
  /** What a program could do with it. */
  can: MessageDescriptor;
  /** The lowest role that can give it. */
  leastRole: number;
  /** What a program that means ill could do with it: `high` reaches people, settings and the shape of the content, `some` reaches content, `none` only reads. */
  harm: Harm;
}

type Harm = "none" | "some" | "high";

const HARMS: Harm[] = ["none", "some", "high"];

/** Every scope, in the order in which they are offered. */
const SCOPES: ScopeWords[] = [
  { scope: "content:read", leastRole: 10, harm: "none", name: msg`Read content`, can: msg`Entries, their versions, bylines, terms and menus.` },
  { scope: "content:write", leastRole: 20, harm: "some", name: msg`Write content`, can: msg`Create, change, publish and delete entries as far as your role allows.` },
  { scope: "media:read", leastRole: 10, harm: "none", name: msg`See media`, can: msg`Files and what is known about them.` },
  { scope: "media:write", leastRole: 20, harm: "some", name: msg`Manage media`, can: msg`Upload, change and delete files.` },
  { scope: "schema:read", leastRole: 40, harm: "none", name: msg`Read the content model`, can: msg`Collections and their fields.` },
  { scope: "schema:write", leastRole: 50, harm: "high", name: msg`Change the content model`, can: msg`Create, change and delete collections and fields.` },
  { scope: "taxonomies:manage", leastRole: 40, harm: "some", name: msg`Manage taxonomies`, can: msg`Taxonomies and their terms.` },
  { scope: "menus:manage", leastRole: 40, harm: "some", name: msg`Manage menus`, can: msg`Menus and their items.` },
  { scope: "settings:read", leastRole: 40, harm: "none", name: msg`Read settings`, can: msg`The settings of the site.` },
  { scope: "settings:manage", leastRole: 50, harm: "high", name: msg`Change settings`, can: msg`The settings of the site.` },
  { scope: "admin", leastRole: 50, harm: "high", name: msg`Everything`, can: msg`All that an administrator can do through the API, people and applications included.` },
];

/** Those of them that the server offers: each opens something there. */
export function offeredScopes(offered: Scope[]): ScopeWords[] {
  return SCOPES.filter(({ scope }) => offered.includes(scope));
}

/** A scope in words; none for one that this application does not know yet. */
export function scopeWords(scope: string): ScopeWords | undefined {
  return SCOPES.find((known) => known.scope === scope);
}

/** Whether a program that means ill could take the site over or break it with a scope. One that this application does not know yet counts as such. */
export function isHighRisk(scope: string): boolean {
  return harmOf(scope) === "high";
}

/** Things with scopes, those that can do the most harm first. */
export function byHarm<Scoped extends { scope: string }>(scoped: Scoped[]): Scoped[] {
  return scoped.toSorted((one, other) => HARMS.indexOf(harmOf(other.scope)) - HARMS.indexOf(harmOf(one.scope)));
}

function harmOf(scope: string): Harm {
  return scopeWords(scope)?.harm ?? "high";
}
