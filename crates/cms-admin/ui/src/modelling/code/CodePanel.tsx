// A collection for programs: what they ask of it, its types, and the JSON Schema of its entries.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Braces, Download } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { Collection } from "~/api/types";
import { Button, ButtonLink } from "~/components/Button";
import { Card } from "~/components/Card";
import { SelectField } from "~/components/Field";
import { Loaded } from "~/components/states";
import { Tabs } from "~/components/Tabs";
import { TOKEN } from "~/explorer/snippets/curl";
import { snippets } from "~/explorer/snippets/snippets";
import { origin, prefix } from "~/lib/site";

import { exportedKey } from "../change";
import { save } from "../save";
import { ASKS, callOf, type Ask } from "./requests";
import { Sample } from "./Sample";
import { typesOf } from "./types";

export default function CodePanel({ collection }: { collection: Collection }) {
  return (
    <div className="grid gap-6">
      <Requests collection={collection} />
      <Types collection={collection} />
      <Schema collection={collection} />
    </div>
  );
}

/** Where the API explorer is. Its screen says what it takes from the address. */
const EXPLORER: string = "/developers/api";

function Requests({ collection }: { collection: Collection }) {
  const { t } = useLingui();
  const [ask, setAsk] = useState<Ask>("list");
  const [language, setLanguage] = useState("curl");
  const call = callOf(ask, collection);
  const { curl, typescript, mcp } = snippets(call, { origin: origin || location.origin, prefix });
  const names: Record<Ask, string> = {
    list: t`List published entries`,
    get: t`Get one entry`,
    create: t`Create an entry`,
    update: t`Change an entry`,
    publish: t`Publish an entry`,
  };
  const name = names[ask];
  const tabs = [
    { value: "curl", label: "curl", content: <Sample label={t`${name}, with curl`} text={curl} /> },
    { value: "typescript", label: "TypeScript", content: <Sample label={t`${name}, in TypeScript`} text={typescript} /> },
    ...(mcp === undefined ? [] : [{ value: "mcp", label: "MCP", content: <Sample label={t`${name}, as a call of a tool`} text={mcp} /> }]),
  ];
  const variable = (
    <code dir="ltr" className="font-mono text-[0.9em]">
      {TOKEN}
    </code>
  );
  return (
    <Card
      id="requests"
      title={<Trans>Requests</Trans>}
      description={<Trans>The values are samples, ids among them. The token is in the environment, as {variable}.</Trans>}
      actions={
        <ButtonLink to={EXPLORER} search={{ operation: call.operationId } as never} icon={<Braces aria-hidden />}>
          <Trans>Open in the API explorer</Trans>
        </ButtonLink>
      }
    >
      <div className="grid gap-4">
        <SelectField label={<Trans>What a program does</Trans>} value={ask} onChange={({ target }) => setAsk(target.value as Ask)}>
          {ASKS.map((ask) => (
            <option key={ask} value={ask}>
              {names[ask]}
            </option>
          ))}
        </SelectField>
        <Tabs label={t`Languages`} value={language} onChange={setLanguage} tabs={tabs} />
      </div>
    </Card>
  );
}

function Types({ collection: { slug } }: { collection: Collection }) {
  const { t } = useLingui();
  const query = useQuery({
    // Everything below this key changes with the model.
    queryKey: [...exportedKey, "typescript"],
    queryFn: ({ signal }) => answer(api.GET("/schema/types", { signal })).then(({ typescript }) => typescript),
  });
  return (
    <Card
      id="types"
      title={<Trans>TypeScript</Trans>}
      description={<Trans>What an entry has in its data. The whole file has the types that it needs, and those of every collection.</Trans>}
      actions={
        query.data !== undefined && (
          <Button icon={<Download />} onClick={() => save("collections.ts", "text/typescript", query.data)}>
            <Trans>Whole file</Trans>
          </Button>
        )
      }
    >
      <Loaded query={query}>{(text) => <Sample label={t`Types of the collection`} text={typesOf(text, slug) ?? text} />}</Loaded>
    </Card>
  );
}

function Schema({ collection: { slug } }: { collection: Collection }) {
  const { t } = useLingui();
  const query = useQuery({
    queryKey: ["collections", slug, "json-schema"],
    queryFn: ({ signal }) =>
      answer(api.GET("/schema/collections/{slug}", { params: { path: { slug }, query: { includeFields: false, includeSchema: true } }, signal })).then(({ item }) => `${JSON.stringify(item.dataSchema, null, 2)}\n`),
  });
  return (
    <Card
      id="json-schema"
      title={<Trans>JSON Schema</Trans>}
      description={<Trans>What the data of a new entry may be: for forms, validators and agents.</Trans>}
      actions={
        query.data !== undefined && (
          <Button icon={<Download />} onClick={() => save(`${slug}.schema.json`, "application/schema+json", query.data)}>
            <Trans>Download</Trans>
          </Button>
        )
      }
    >
      <Loaded query={query}>{(text) => <Sample label={t`JSON Schema of the data`} text={text} />}</Loaded>
    </Card>
  );
}
