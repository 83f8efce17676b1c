// One's passkeys: what they are, and adding, renaming and removing them.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Cloud, Fingerprint, KeyRound, Laptop, Pencil, Plus, Smartphone, Trash2, Usb } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { ApiError } from "~/api/errors";
import type { Passkey } from "~/api/types";
import { Badge } from "~/components/Badge";
import { Button, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { Dialog, DialogActions } from "~/components/Dialog";
import { TextField } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { Notice } from "~/components/Notice";
import { Row, Rows } from "~/components/Rows";
import { EmptyState, Loaded } from "~/components/states";
import { toast } from "~/components/toast";
import { createPasskey, isPasskeySupported, passkeyMessage } from "~/door/passkey";
import { useFormat } from "~/lib/format";

import { deviceOf } from "./device";
import { passkeys } from "./queries";

/** The most passkeys of an account. The server refuses more. */
const MOST = 10;

/** The most characters of a passkey's name. */
const NAME = 100;

export function Passkeys() {
  const { t } = useLingui();
  const query = useQuery(passkeys);
  const [isAdding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey>();
  const [removed, setRemoved] = useState<Passkey>();
  const count = query.data?.items.length ?? 0;
  return (
    <Card
      id="passkeys"
      flush
      title={<Trans>Passkeys</Trans>}
      description={<Trans>Sign in with your fingerprint, your face, a screen lock or a security key. Nothing to remember, nothing to steal.</Trans>}
      actions={
        <Button variant="primary" icon={<Plus />} onClick={() => setAdding(true)} disabled={!query.data || count >= MOST || !isPasskeySupported()}>
          <Trans>Add passkey</Trans>
        </Button>
      }
    >
      <Loaded query={query}>
        {({ items }) => (
          <>
            {items.length === 1 && (
              <div className="px-5 pb-4">
                <Notice tone="warn" title={<Trans>You have one passkey</Trans>}>
                  <Trans>If you lose it, you cannot get in with a passkey any more. Add another one, on another device or a security key.</Trans>
                </Notice>
              </div>
            )}
            {items.length >= MOST && (
              <div className="px-5 pb-4">
                <Notice>
                  <Trans>You have as many passkeys as an account can have. Remove one to add another.</Trans>
                </Notice>
              </div>
            )}
            {items.length === 0 ? (
              <div className="border-t border-line">
                <EmptyState icon={<Fingerprint />} title={<Trans>No passkeys registered</Trans>}>
                  <Trans>Add one to sign in without a link or a provider.</Trans>
                </EmptyState>
              </div>
            ) : (
              <Rows label={t`Passkeys`}>
                {items.map((passkey) => (
                  <PasskeyRow
                    key={passkey.id}
                    passkey={passkey}
                    isLast={items.length === 1}
                    onRename={() => setRenamed(passkey)}
                    onRemove={() => setRemoved(passkey)}
                  />
                ))}
              </Rows>
            )}
          </>
        )}
      </Loaded>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {renamed && <RenameDialog key={renamed.id} passkey={renamed} onClose={() => setRenamed(undefined)} />}
      {removed && <RemoveDialog passkey={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  );
}

interface RowProps {
  passkey: Passkey;
  isLast: boolean;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ passkey, isLast, onRename, onRemove }: RowProps) {
  const { t } = useLingui();
  const { date, relative } = useFormat();
  const kind = useKind(passkey);
  const name = passkey.name;
  return (
    <Row
      icon={kind.icon}
      title={name}
      badges={
        <>
          {passkey.backedUp ? (
            <Badge tone="good" icon={<Cloud />}>
              <Trans>Synced</Trans>
            </Badge>
          ) : (
            <Badge>
              <Trans>This device only</Trans>
            </Badge>
          )}
        </>
      }
      actions={
        <>
          <IconButton label={t`Rename ${name}`} icon={<Pencil />} onClick={onRename} />
          <IconButton
            label={isLast ? t`${name} is your only passkey: add another one before you remove it` : t`Remove ${name}`}
            icon={<Trash2 />}
            danger
            disabled={isLast}
            onClick={onRemove}
          />
        </>
      }
    >
      {kind.words} · <Trans>added {date(passkey.createdAt)}</Trans> ·{" "}
      {passkey.lastUsedAt ? <Trans>last used {relative(passkey.lastUsedAt)}</Trans> : <Trans>not used yet</Trans>}
    </Row>
  );
}

/** What holds a passkey, told by how it can be reached. */
function useKind({ transports, backedUp }: Passkey) {
  const { t } = useLingui();
  if (transports.some((way) => way === "usb" || way === "nfc" || way === "ble" || way === "smart-card")) return { icon: <Usb />, words: t`Security key` };
  if (transports.includes("internal") && !backedUp) return { icon: <Laptop />, words: t`Built into a device` };
  if (transports.includes("hybrid")) return { icon: <Smartphone />, words: t`Phone or password manager` };
  if (backedUp) return { icon: <Cloud />, words: t`Password manager` };
  return { icon: <KeyRound />, words: t`Passkey` };
}

/** A failure of the browser's prompt, as the form shows failures. */
function said(error: unknown): unknown {
  return error instanceof ApiError ? error : new ApiError({ status: 400, code: "PASSKEY", message: passkeyMessage(error) });
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { browser, system } = deviceOf(navigator.userAgent);
  const form = useForm({
    values: { name: browser && system ? t`${browser} on ${system}` : "" },
    submit: async ({ name }) => {
      try {
        const called = name.trim() ? { name: name.trim() } : {};
        const { options } = await answer(api.POST("/auth/passkey/register/options", { body: called }));
        const credential = await createPasskey(options);
        await answer(api.POST("/auth/passkey/register/verify", { body: { credential, ...called } }));
      } catch (error) {
        throw said(error);
      }
      await queries.invalidateQueries(passkeys);
      toast.good(<Trans>The passkey is added.</Trans>);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      locked={form.isSending}
      title={<Trans>Add a passkey</Trans>}
      description={<Trans>Your browser asks where to keep it: on this device, in a password manager, on a phone or on a security key.</Trans>}
    >
      <Form form={form}>
        <TextField
          label={<Trans>Name</Trans>}
          hint={<Trans>So that you recognize it, as in “Work laptop” or “Blue security key”.</Trans>}
          optional
          maxLength={NAME}
          autoFocus
          autoComplete="off"
          onFocus={(event) => event.target.select()}
          {...form.field("name")}
        />
        <DialogActions>
          <Button onClick={onClose} disabled={form.isSending}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" pending={form.isSending}>
            <Trans>Continue</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm({
    values: { name: passkey.name },
    submit: async ({ name }) => {
      await answer(api.PATCH("/auth/passkey/{id}", { params: { path: { id: passkey.id } }, body: { name: name.trim() } }));
      await queries.invalidateQueries(passkeys);
      toast.good(<Trans>The passkey is renamed.</Trans>);
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} locked={form.isSending} title={<Trans>Rename passkey</Trans>}>
      <Form form={form}>
        <TextField label={<Trans>Name</Trans>} maxLength={NAME} autoFocus autoComplete="off" onFocus={(event) => event.target.select()} {...form.field("name")} />
        <DialogActions>
          <Button onClick={onClose} disabled={form.isSending}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" pending={form.isSending}>
            <Trans>Rename</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const queries = useQueryClient();
  const name = passkey.name;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      danger
      title={<Trans>Remove “{name}”?</Trans>}
      description={
        <Trans>You can no longer sign in with it here. Delete it on the device or in the password manager as well, or the browser will go on offering it.</Trans>
      }
      confirm={<Trans>Remove passkey</Trans>}
      onConfirm={async () => {
        await answer(api.DELETE("/auth/passkey/{id}", { params: { path: { id: passkey.id } } }));
        await queries.invalidateQueries(passkeys);
        toast.good(<Trans>The passkey is removed.</Trans>);
      }}
    />
  );
}
