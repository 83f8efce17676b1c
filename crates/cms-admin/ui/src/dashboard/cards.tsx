// The cards that there are, in their usual order, and who has them.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { ComponentType } from "react";

import type { Permission } from "~/api/types";

import { AccessCard, AccountCard } from "./AccountCards";
import { DraftsCard, NextCard, OthersCard, RecentCard, WaitingCard } from "./EntryCards";
import { LateCard } from "./LateCard";
import { SecurityCard } from "./SecurityCard";
import { HealthCard, JobsCard } from "./SystemCards";

export interface DashboardCardOf {
  id: string;
  title: MessageDescriptor;
  permission?: Permission;
  Card: ComponentType;
}

export const CARDS: readonly DashboardCardOf[] = [
  { id: "drafts", title: msg`My drafts`, permission: "content:create", Card: DraftsCard },
  { id: "recent", title: msg`Recent changes`, permission: "content:read_drafts", Card: RecentCard },
  { id: "late", title: msg`Not published on time`, permission: "content:read_drafts", Card: LateCard },
  { id: "waiting", title: msg`My scheduled entries`, permission: "content:create", Card: WaitingCard },
  { id: "next", title: msg`Scheduled next`, permission: "content:read_drafts", Card: NextCard },
  { id: "others", title: msg`Drafts of others`, permission: "content:publish_any", Card: OthersCard },
  { id: "health", title: msg`Site health`, permission: "jobs:manage", Card: HealthCard },
  { id: "jobs", title: msg`Jobs`, permission: "jobs:manage", Card: JobsCard },
  { id: "security", title: msg`Security`, Card: SecurityCard },
  { id: "account", title: msg`Your account`, Card: AccountCard },
  { id: "access", title: msg`For programs and agents`, Card: AccessCard },
];
