// The request as other programs make it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";

import { Card } from "~/components/Card";
import { Notice } from "~/components/Notice";
import { Tabs } from "~/components/Tabs";
import { origin, prefix } from "~/lib/site";

import type { Call } from "../snippets/call";
import { TOKEN } from "../snippets/curl";
import { snippets } from "../snippets/snippets";
import { Code } from "./Code";

export function SnippetCard({ call, needsSession }: { call: Call; needsSession: boolean }) {
  const { t } = useLingui();
  const [tab, setTab] = useState("curl");
  const { curl, typescript, mcp } = snippets(call, { origin: origin || location.origin, prefix });
  const tabs = [
    { value: "curl", label: "curl", content: <Code label="curl" text={curl} /> },
    { value: "typescript", label: "TypeScript", content: <Code label="TypeScript" text={typescript} /> },
    ...(mcp === undefined ? [] : [{ value: "mcp", label: "MCP", content: <Code label="MCP" text={mcp} /> }]),
  ];
  const variable = (
    <code dir="ltr" className="font-mono text-[0.9em]">
      {TOKEN}
    </code>
  );
  return (
    <Card id="code" title={<Trans>In code</Trans>} description={<Trans>The request above, as a program makes it. The token is read from {variable} in the environment.</Trans>}>
      <div className="grid min-w-0 gap-3">
        {needsSession && (
          <Notice tone="warn">
            <Trans>This needs the session of a browser. Programs that come with a token are refused.</Trans>
          </Notice>
        )}
        <Tabs label={t`Languages`} value={tabs.some(({ value }) => value === tab) ? tab : "curl"} onChange={setTab} tabs={tabs} />
      </div>
    </Card>
  );
}
