// A screen for people with a permission: others are told so instead of being shown failures.

import type { ReactNode } from "react";

import type { Permission } from "~/api/types";
import { PageHeader } from "~/components/PageHeader";
import { ForbiddenState } from "~/components/states";
import { Card } from "~/components/Card";
import { useCan } from "~/session/session";

/** Shows its children to people with the permission. The server decides all the same. */
export function Needs({ permission, title, children }: { permission: Permission; title: string; children: ReactNode }) {
  const can = useCan();
  if (can(permission)) return children;
  return (
    <>
      <PageHeader title={title} />
      <Card flush>
        <ForbiddenState />
      </Card>
    </>
  );
}
