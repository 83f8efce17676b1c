// The setup of a site in three steps. The first needs the token that the server printed: whoever can read its log may own the site.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, ArrowRight, Check, KeyRound } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { answer, api } from "~/api/client";
import { isCode } from "~/api/errors";
import { Button } from "~/components/Button";
import { Checkbox, TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { Notice } from "~/components/Notice";
import { cx } from "~/lib/cx";

import { DoorPage, Or } from "./DoorPage";
import { useFinish } from "./finish";
import { loginError } from "./loginErrors";
import { createPasskey, isPasskeySupported, PasskeyError, passkeyMessage } from "./passkey";
import { Providers } from "./Providers";
import { hasGateway, mode, setupStatus } from "./queries";
import { forget, recall, remember, type Account } from "./setupMemory";
import { useFragmentToken } from "./useFragment";

type Step = "site" | "account" | "passkey";

/** `error` says why setting up with a provider failed. */
export function Setup({ error }: { error: string | undefined }) {
  const { t, i18n } = useLingui();
  const status = useQuery(setupStatus).data;
  const [step, setStep] = useState<Step>(() => firstStep(status?.step === "admin"));
  const fromAddress = useFragmentToken();
  // Whoever typed it keeps it while this page is open, and no longer.
  const [token, setToken] = useState(fromAddress);
  const finish = useFinish();
  // Behind a gateway the first person whom it lets in is the administrator: there is nothing else to set up.
  const isGateway = hasGateway(status);
  const next = () => (isGateway ? finish() : setStep("account"));
  const texts = {
    site: { title: t`Set up your site`, description: t`A name for the site, and what it starts with.` },
    account: { title: t`Your account`, description: t`You become the first administrator, and can invite others afterwards.` },
    passkey: { title: t`Create your passkey`, description: t`It takes the place of a password: your device keeps it, and nobody can guess it or phish it.` },
  }[step];
  return (
    <DoorPage title={texts.title} description={texts.description} icon={isGateway ? undefined : <Steps step={step} />}>
      {error && <Notice tone="bad">{i18n._(loginError(error))}</Notice>}
      {step === "site" && <SiteStep token={token} isGiven={fromAddress !== ""} setToken={setToken} onDone={next} />}
      {step === "account" && (
        <AccountStep
          onBack={() => setStep("site")}
          onDone={() => {
            remember({ isAtPasskey: true });
            setStep("passkey");
          }}
        />
      )}
      {step === "passkey" && (
        <PasskeyStep
          account={recall().account}
          onBack={() => {
            remember({ isAtPasskey: false });
            setStep("account");
          }}
        />
      )}
    </DoorPage>
  );
}

/** Where whoever comes, or comes back, goes on. The server says whether the site is named already. */
function firstStep(isNamed: boolean): Step {
  if (!isNamed) return "site";
  const { account, isAtPasskey } = recall();
  return isAtPasskey && account.email ? "passkey" : "account";
}

function Steps({ step }: { step: Step }) {
  const { t } = useLingui();
  const names: [Step, string][] = [
    ["site", t`Site`],
    ["account", t`Account`],
    ["passkey", t`Passkey`],
  ];
  const at = names.findIndex(([id]) => id === step);
  return (
    <ol aria-label={t`Steps`} className="flex items-center gap-2 text-sm">
      {names.map(([id, name], index) => (
        <li key={id} aria-current={index === at ? "step" : undefined} className={cx("flex items-center gap-2", index > 0 && "before:h-px before:w-4 before:bg-line-strong/60 sm:before:w-6")}>
          <span
            className={cx(
              "grid size-6 shrink-0 place-items-center rounded-full text-xs font-semibold",
              index < at && "bg-good-soft text-good",
              index === at && "bg-accent text-on-accent",
              index > at && "border border-line-strong text-muted",
            )}
          >
            {index < at ? <Check aria-hidden className="size-3.5" /> : index + 1}
          </span>
          <span className={cx(index === at ? "font-medium" : "text-muted", index !== at && "max-sm:sr-only")}>{name}</span>
          {index < at && (
            <span className="sr-only">
              <Trans>done</Trans>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

interface SiteStepProps {
  token: string;
  /** Whether the address had the token. */
  isGiven: boolean;
  setToken: (token: string) => void;
  onDone: () => void;
}

function SiteStep({ token, isGiven, setToken, onDone }: SiteStepProps) {
  const { t } = useLingui();
  const form = useForm({
    values: { token, ...recall().site },
    submit: async ({ token, title, tagline, includeContent }) => {
      const body = { token: token.trim(), title: title.trim(), includeContent, ...(tagline.trim() ? { tagline: tagline.trim() } : {}) };
      await answer(api.POST("/setup", { body }));
      setToken(token);
      onDone();
    },
  });
  const { title, tagline, includeContent } = form.values;
  useEffect(() => remember({ site: { title, tagline, includeContent } }), [title, tagline, includeContent]);
  const isBad = form.lastError !== undefined && isCode(form.lastError, "INVALID_SETUP_TOKEN", "SETUP_TOKEN_INVALID");
  return (
    <Form form={form}>
      {(!isGiven || isBad) && (
        <TextField
          {...form.field("token")}
          label={t`Setup token`}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          hint={t`The server prints it when it starts, at the end of the address for the setup. It proves that this server is yours.`}
        />
      )}
      <TextField {...form.field("title")} label={t`Title of the site`} autoComplete="off" maxLength={200} autoFocus />
      <TextField {...form.field("tagline")} label={t`Tagline`} optional autoComplete="off" maxLength={300} hint={t`A few words on what it is about.`} />
      <Checkbox
        {...form.box("includeContent")}
        label={<Trans>Start with sample content</Trans>}
        hint={<Trans>Posts and pages with a few entries to look at. You can delete them.</Trans>}
      />
      <Button type="submit" variant="primary" size="lg" wide pending={form.isSending} iconAfter={<ArrowRight aria-hidden className="rtl:-scale-x-100" />}>
        <Trans>Continue</Trans>
      </Button>
    </Form>
  );
}

function AccountStep({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const { t } = useLingui();
  // Whoever has an account at one of them needs no passkey to begin with.
  const providers = useQuery(mode).data?.providers ?? [];
  const form = useForm({
    values: recall().account,
    submit: async (account) => {
      // Asked here as well, so that a bad address is told where it is typed.
      await answer(api.POST("/setup/admin", { body: bodyOf(account) }));
      onDone();
    },
  });
  const { email, name } = form.values;
  useEffect(() => remember({ account: { email, name } }), [email, name]);
  return (
    <>
      <Form form={form}>
        <TextField {...form.field("email")} label={t`E-mail address`} type="email" inputMode="email" autoComplete="email" autoCapitalize="none" spellCheck={false} autoFocus />
        <TextField {...form.field("name")} label={t`Your name`} optional autoComplete="name" maxLength={100} />
        <Button type="submit" variant="primary" size="lg" wide pending={form.isSending} iconAfter={<ArrowRight aria-hidden className="rtl:-scale-x-100" />}>
          <Trans>Continue</Trans>
        </Button>
      </Form>
      {providers.length > 0 && (
        <Or>
          <Trans>or</Trans>
        </Or>
      )}
      <Providers providers={providers} />
      <Back onBack={onBack} />
    </>
  );
}

function PasskeyStep({ account, onBack }: { account: Account; onBack: () => void }) {
  const queries = useQueryClient();
  const finish = useFinish();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function create() {
    setPending(true);
    setProblem(undefined);
    try {
      const { options } = await answer(api.POST("/setup/admin", { body: bodyOf(account) }));
      const credential = await createPasskey(options);
      await answer(api.POST("/setup/admin/verify", { body: { credential } }));
      queries.removeQueries(setupStatus);
      forget();
      finish();
    } catch (error) {
      setProblem(passkeyMessage(error));
      setPending(false);
    }
  }

  return (
    <>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {!isPasskeySupported() && <Notice tone="warn">{passkeyMessage(new PasskeyError(window.isSecureContext ? "unsupported" : "insecure"))}</Notice>}
      <ul className="grid gap-2 text-muted">
        <Point>
          <Trans>
            For <strong className="font-medium break-all text-ink">{account.email}</strong>
          </Trans>
        </Point>
        <Point>
          <Trans>Your device asks for your fingerprint, face or PIN. That stays on the device.</Trans>
        </Point>
        <Point>
          <Trans>Add a second passkey afterwards, so that a lost device does not lock you out.</Trans>
        </Point>
      </ul>
      <div className="grid gap-2.5">
        <Button variant="primary" size="lg" wide autoFocus icon={<KeyRound />} pending={isPending} disabled={!isPasskeySupported()} onClick={() => void create()}>
          <Trans>Create passkey and finish</Trans>
        </Button>
        <Back onBack={onBack} disabled={isPending} />
      </div>
    </>
  );
}

function Point({ children }: { children: ReactNode }) {
  return (
    <li className="flex gap-2.5">
      <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
      <span>{children}</span>
    </li>
  );
}

function Back({ onBack, disabled }: { onBack: () => void; disabled?: boolean }) {
  return (
    <Button variant="ghost" size="lg" wide disabled={disabled} icon={<ArrowLeft aria-hidden className="rtl:-scale-x-100" />} onClick={onBack}>
      <Trans>Back</Trans>
    </Button>
  );
}

function bodyOf({ email, name }: Account) {
  return { email: email.trim(), ...(name.trim() ? { name: name.trim() } : {}) };
}
