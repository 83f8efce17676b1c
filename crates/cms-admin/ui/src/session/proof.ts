// Proving again who is there, before credentials change. Its ways, and the news of it between windows of one browser.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import { answer, api, askToProve } from "~/api/client";
import { getPasskey } from "~/door/passkey";
import { home } from "~/lib/site";

import { me } from "./session";

const CHANNEL = "cms-proof";

/** Tells the other windows of this browser that its user proved who they are. */
export function tellProven(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/** Hears it from another window. Only a hint: the server decides about what is sent then. */
export function useProven(onProven: () => void): void {
  const hear = useEffectEvent(onProven);
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => hear();
    return () => channel.close();
  }, []);
}

/** By a passkey of the account. */
export async function proveByPasskey(): Promise<void> {
  const { options } = await answer(api.POST("/auth/reauth/passkey/options"));
  const credential = await getPasskey(options);
  await answer(api.POST("/auth/reauth/passkey", { body: { credential } }));
}

/** By a link to the account's address, which has to be opened in this browser. */
export function sendProofLink(): Promise<unknown> {
  return answer(api.POST("/auth/reauth/magic-link/send"));
}

/** What the link's page does. */
export function proveByLink(token: string): Promise<unknown> {
  return answer(api.POST("/auth/reauth/magic-link", { body: { token } }));
}

/** Where a window has to go for a proof at a provider. It comes back to the page that tells the others. */
export async function beginProof(provider: string, fields: Record<string, string>): Promise<string> {
  const body = { fields, return: `${home}/reauth` };
  const { url } = await answer(api.POST("/auth/reauth/provider/{provider}", { params: { path: { provider } }, body }));
  return url;
}

/** How much longer a proof has to be good for a form that is yet to be filled in, in milliseconds. */
const FILLING_IN = 2 * 60_000;

/** Asks for a proof before a long form is opened, where the last one would not last until it is sent. Answers whether to go on. */
export function useProveFirst(): () => Promise<boolean> {
  const queries = useQueryClient();
  return async () => {
    const isGood = (until: string | null) => until === null || Date.parse(until) - Date.now() > FILLING_IN;
    if (isGood(queries.getQueryData(me.queryKey)?.provenUntil ?? null)) return true;
    try {
      const { provenUntil, methods } = await answer(api.GET("/auth/reauth"));
      return isGood(provenUntil) || (await askToProve(methods));
    } catch {
      // Then it is asked for when the form is sent.
      return true;
    }
  };
}
