// Who one is here, and where programs and agents find the content.

import { Trans, useLingui } from "@lingui/react/macro";
import { ArrowUpRight, BookOpen } from "lucide-react";

import { Avatar } from "~/components/Avatar";
import { Badge } from "~/components/Badge";
import { ButtonAnchor } from "~/components/Button";
import { Card } from "~/components/Card";
import { CopyField } from "~/components/CopyField";
import { prefix } from "~/lib/site";
import { roleCan, roleName } from "~/session/roles";
import { useMe } from "~/session/session";

export function AccountCard() {
  const { i18n } = useLingui();
  const me = useMe();
  return (
    <Card id="me" title={<Trans>Your account</Trans>} className="h-full">
      <div className="flex items-center gap-3.5">
        <Avatar name={me.name ?? me.email} url={me.avatarUrl} className="size-12 text-md" />
        <div className="min-w-0">
          <p className="truncate text-md font-semibold">{me.name ?? me.email}</p>
          {me.name && <p className="truncate text-muted">{me.email}</p>}
        </div>
      </div>
      <div className="mt-4 grid justify-items-start gap-1.5 border-t border-line pt-4">
        <Badge tone="accent">{i18n._(roleName(me.role))}</Badge>
        <p className="text-muted">{i18n._(roleCan(me.role) ?? roleName(me.role))}</p>
      </div>
    </Card>
  );
}

export function AccessCard() {
  const { t } = useLingui();
  const root = `${location.origin}${prefix}/api`;
  return (
    <Card
      title={t`For programs and agents`}
      id="content-access"
      className="h-full"
      description={<Trans>Programs use the REST API, and agents the tools of the MCP server.</Trans>}
      actions={
        <ButtonAnchor size="sm" href={`${prefix}/api/docs`} target="_blank" rel="noopener" icon={<BookOpen aria-hidden />} iconAfter={<ArrowUpRight aria-hidden className="rtl:-scale-x-100" />}>
          <Trans>API reference</Trans>
        </ButtonAnchor>
      }
    >
      <div className="grid gap-4">
        <CopyField label={t`REST API`} value={root} />
        <CopyField label={t`Tools for agents (MCP)`} value={`${root}/mcp`} />
      </div>
    </Card>
  );
}
