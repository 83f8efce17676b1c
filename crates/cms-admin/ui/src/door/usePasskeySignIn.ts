// Signing in with a passkey: by a button, or by the suggestions of the e-mail field.

import { useEffect, useEffectEvent, useRef, useState } from "react";

import { answer, api } from "~/api/client";
import type { SignedIn } from "~/api/types";

import { canSuggest, getPasskey, PasskeyError, passkeyMessage } from "./passkey";

/** How often a waiting suggestion is renewed, in milliseconds: the server forgets its question after five minutes. */
const RENEWAL = 4 * 60_000;

interface Options {
  onSignedIn: (signedIn: SignedIn) => Promise<void> | void;
  /** Offers passkeys in the suggestions of fields with `autocomplete="username webauthn"`. */
  suggest?: boolean;
}

export function usePasskeySignIn({ onSignedIn, suggest = false }: Options) {
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const suggestion = useRef<AbortController>(undefined);

  async function prove(signal?: AbortSignal, email?: string) {
    const { options } = await answer(api.POST("/auth/passkey/options", { body: email ? { email } : {}, ...(signal ? { signal } : {}) }));
    const credential = await getPasskey(options, signal ? { signal, conditional: true } : {});
    setPending(true);
    await onSignedIn(await answer(api.POST("/auth/passkey/verify", { body: { credential } })));
  }

  const wait = useEffectEvent(async (signal: AbortSignal) => {
    try {
      if (await canSuggest()) await prove(signal);
    } catch (error) {
      if (signal.aborted) return;
      setPending(false);
      // Closing a suggestion is no failure, and one that could not even begin is not missed.
      if (!(error instanceof PasskeyError) || error.code === "failed") setProblem(passkeyMessage(error));
    }
  });

  useEffect(() => {
    if (!suggest) return;
    function begin() {
      suggestion.current?.abort();
      suggestion.current = new AbortController();
      void wait(suggestion.current.signal);
    }
    begin();
    const renewal = setInterval(begin, RENEWAL);
    return () => {
      clearInterval(renewal);
      suggestion.current?.abort();
    };
  }, [suggest]);

  return {
    isPending,
    problem,
    /** Opens the browser's dialog. A browser asks one question at a time: the suggestion ends first. */
    start: async (email?: string) => {
      suggestion.current?.abort();
      setProblem(undefined);
      setPending(true);
      try {
        await prove(undefined, email);
      } catch (error) {
        setProblem(passkeyMessage(error));
      } finally {
        setPending(false);
      }
    },
  };
}
