// Making an account with the secret of a link: who it is for, a name, a passkey. Invitations and sign-ups end here.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { KeyRound, Link2Off } from "lucide-react";
import type { ReactNode } from "react";

import { ApiError, messageOf } from "~/api/errors";
import type { CreationOptions, Invited, RegistrationCredential } from "~/api/types";
import { Badge } from "~/components/Badge";
import { Button, ButtonLink } from "~/components/Button";
import { TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { Skeleton } from "~/components/states";
import { roleCan, roleName } from "~/session/roles";

import { DoorPage } from "./DoorPage";
import { useFinish } from "./finish";
import { createPasskey, PasskeyError, passkeyMessage } from "./passkey";

interface JoinProps {
  token: string;
  title: string;
  /** Tells whom the link is for. It is not spent by that. */
  look: (token: string) => Promise<Invited>;
  ask: (body: { token: string; name?: string }) => Promise<{ options: CreationOptions }>;
  complete: (body: { token: string; name?: string; credential: RegistrationCredential }) => Promise<unknown>;
  /** Other ways to use the link. */
  more?: ReactNode;
  /** Where to get another link. */
  elsewhere?: ReactNode;
}

export function Join({ token, title, look, ask, complete, more, elsewhere }: JoinProps) {
  const query = useQuery({ queryKey: ["link", title, token], queryFn: () => look(token), enabled: token !== "", retry: false, staleTime: Infinity });
  if (token === "" || (query.error instanceof ApiError && !query.error.isPassing)) return <BadLink error={query.error ?? undefined}>{elsewhere}</BadLink>;
  return (
    <DoorPage title={title} description={<Trans>Choose the name that others see, and create a passkey: that is how you will sign in.</Trans>}>
      {query.data ? (
        <JoinForm invited={query.data} token={token} ask={ask} complete={complete} more={more} />
      ) : query.error ? (
        <>
          <p role="alert">{messageOf(query.error)}</p>
          <Button size="lg" wide onClick={() => void query.refetch()}>
            <Trans>Try again</Trans>
          </Button>
        </>
      ) : (
        <div role="status" className="grid gap-4">
          <span className="sr-only">
            <Trans>Loading…</Trans>
          </span>
          <Skeleton className="h-19 w-full rounded-md" />
          <Skeleton className="h-15 w-full" />
          <Skeleton className="h-11 w-full" />
        </div>
      )}
    </DoorPage>
  );
}

type JoinFormProps = Pick<JoinProps, "token" | "ask" | "complete" | "more"> & { invited: Invited };

function JoinForm({ invited, token, ask, complete, more }: JoinFormProps) {
  const { t, i18n } = useLingui();
  const finish = useFinish();
  const can = roleCan(invited.role);
  const form = useForm({
    values: { name: "" },
    submit: async ({ name }) => {
      const body = { token, ...(name.trim() ? { name: name.trim() } : {}) };
      const { options } = await ask(body);
      const credential = await createPasskey(options);
      await complete({ ...body, credential });
      finish();
    },
    explain: (error) => (error instanceof PasskeyError ? passkeyMessage(error) : undefined),
  });
  return (
    <>
      <div className="rounded-md border border-line bg-sunken px-3.5 py-3">
        <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="min-w-0 font-medium break-all">{invited.email}</span>
          <Badge tone="accent">{i18n._(roleName(invited.role))}</Badge>
        </p>
        {can && <p className="mt-0.5 text-sm text-muted">{i18n._(can)}</p>}
      </div>
      <Form form={form}>
        <TextField {...form.field("name")} optional label={t`Your name`} autoComplete="name" autoFocus maxLength={100} />
        <Button type="submit" variant="primary" size="lg" wide icon={<KeyRound />} pending={form.isSending}>
          <Trans>Create my account</Trans>
        </Button>
      </Form>
      {more}
    </>
  );
}

/** A link that opens nothing, and what to do about it. */
export function BadLink({ error, children }: { error?: unknown; children?: ReactNode }) {
  const { t } = useLingui();
  const code = error instanceof ApiError ? error.code : "";
  const title =
    code === "TOKEN_EXPIRED" ? t`This link has expired` : code === "USER_EXISTS" ? t`You already have an account` : code === "RATE_LIMITED" ? t`Too many attempts` : t`This link does not work`;
  return (
    <DoorPage
      icon={
        <span className="grid size-10 place-items-center rounded-full bg-warn-soft text-warn">
          <Link2Off aria-hidden className="size-5" />
        </span>
      }
      title={title}
      description={
        error && code !== "INVALID_LINK" && code !== "VALIDATION_ERROR" ? (
          messageOf(error)
        ) : (
          <Trans>It has already been used, was replaced by a newer one, or is incomplete. Open it again from the message you received.</Trans>
        )
      }
    >
      {children && <p className="text-muted">{children}</p>}
      <ButtonLink to="/login" variant="primary" size="lg" wide>
        <Trans>Go to sign-in</Trans>
      </ButtonLink>
    </DoorPage>
  );
}

/** A link in running text to the sign-up. */
export function SignUpLink({ children }: { children: ReactNode }) {
  return (
    <Link to="/signup" className="font-medium text-accent-ink underline underline-offset-2">
      {children}
    </Link>
  );
}
