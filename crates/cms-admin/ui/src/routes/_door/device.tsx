// Letting a program in that shows a code, such as the command line on another machine.

import { Trans, useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";
import { CircleCheck, CircleX, Terminal } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { Asked, useAsked } from "~/applications/Asked";
import { SignedInAs } from "~/applications/SignedInAs";
import { Button } from "~/components/Button";
import { TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { Notice } from "~/components/Notice";
import { DoorPage } from "~/door/DoorPage";
import { DoorIcon } from "~/door/DoorIcon";
import { useSiteName } from "~/door/queries";
import { useFormat } from "~/lib/format";
import { textOf } from "~/lib/search";
import { needSession } from "~/session/session";

interface Search {
  /** The code, in an address that the program showed. */
  code?: string;
}

export const Route = createFileRoute("/_door/device")({
  validateSearch: (search: Record<string, unknown>): Search => textOf(search, "code"),
  beforeLoad: needSession,
  component: Device,
});

/** The characters of a code, without its hyphen. */
const LENGTH = 8;

type Found = Awaited<ReturnType<typeof look>>;

function look(code: string) {
  return answer(api.GET("/oauth/device", { params: { query: { code } } }));
}

/** A code as it is shown: in capitals, with a hyphen in the middle. */
function spelled(text: string): string {
  const plain = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "")
    .slice(0, LENGTH);
  return plain.length > LENGTH / 2 ? `${plain.slice(0, LENGTH / 2)}-${plain.slice(LENGTH / 2)}` : plain;
}

function Device() {
  const { code } = Route.useSearch();
  const [found, setFound] = useState<Found>();
  const [authorized, setAuthorized] = useState<boolean>();
  if (authorized !== undefined) return <Decided authorized={authorized} />;
  return found ? <Decide found={found} onDecided={setAuthorized} onBack={() => setFound(undefined)} /> : <Enter code={code ?? ""} onFound={setFound} />;
}

function Enter({ code, onFound }: { code: string; onFound: (found: Found) => void }) {
  const { t } = useLingui();
  const form = useForm({
    values: { code: spelled(code) },
    submit: async ({ code }) => onFound(await look(code)),
  });
  const isWhole = form.values.code.length === LENGTH + 1;
  return (
    <DoorPage icon={<DoorIcon icon={<Terminal />} />} title={t`Connect a device`} description={<Trans>Enter the code that your device or program shows.</Trans>}>
      <Form form={form}>
        <TextField
          label={<Trans>Code</Trans>}
          dir="ltr"
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="XXXX-XXXX"
          className="[&_input]:h-12 [&_input]:text-center [&_input]:font-mono [&_input]:text-lg [&_input]:tracking-widest"
          {...form.field("code")}
          onChange={(event) => form.set("code", spelled(event.target.value))}
        />
        <Button type="submit" variant="primary" size="lg" wide disabled={!isWhole} pending={form.isSending}>
          <Trans>Continue</Trans>
        </Button>
      </Form>
      <SignedInAs />
    </DoorPage>
  );
}

function Decide({ found, onDecided, onBack }: { found: Found; onDecided: (authorized: boolean) => void; onBack: () => void }) {
  const { t } = useLingui();
  const { relative } = useFormat();
  const site = useSiteName();
  const { scopes, choices, set, hasWithheld, ask, problem, deciding } = useAsked(found, async (action, scopes) => {
    const { authorized } = await answer(api.POST("/oauth/device/authorize", { body: { user_code: found.userCode, action, scopes } }));
    onDecided(authorized);
  });
  const name = found.client.name;
  return (
    <DoorPage
      icon={<DoorIcon icon={<Terminal />} />}
      title={t`${name} wants access to ${site}`}
      description={
        <Trans>
          A device showing <code className="font-mono font-semibold text-ink">{found.userCode}</code> would act on your behalf. It asked {relative(found.createdAt)}.
        </Trans>
      }
    >
      <Notice tone="warn" title={found.client.registered ? <Trans>This application registered itself</Trans> : undefined}>
        {found.client.registered && (
          <>
            <Trans>Anyone can register one under any name, and no administrator has reviewed it.</Trans>{" "}
          </>
        )}
        <Trans>Continue only if you see this code on a device of your own. If somebody sent it to you, deny access.</Trans>
      </Notice>
      <Asked choices={choices} value={scopes} onChange={set} hasWithheld={hasWithheld} lasts={found.lasts} problem={problem} deciding={deciding} onDecide={ask} />
      <div className="text-center">
        <Button variant="ghost" size="sm" onClick={onBack}>
          <Trans>Enter another code</Trans>
        </Button>
      </div>
      <SignedInAs />
    </DoorPage>
  );
}

function Decided({ authorized }: { authorized: boolean }) {
  const { t } = useLingui();
  return authorized ? (
    <DoorPage
      icon={<DoorIcon tone="good" icon={<CircleCheck />} />}
      title={t`Your device is connected`}
      description={<Trans>Go on there; you can close this page. You can disconnect it at any time under “Connected applications”.</Trans>}
    />
  ) : (
    <DoorPage icon={<DoorIcon icon={<CircleX />} />} title={t`Access denied`} description={<Trans>The device gets nothing. You can close this page.</Trans>} />
  );
}
