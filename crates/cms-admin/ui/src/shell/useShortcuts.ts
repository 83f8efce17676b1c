// The keyboard shortcuts of every screen.

import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";

import { isTyping } from "~/lib/typing";

import { hasLetterShortcuts, isMod } from "./keys";
import { usePlaces } from "./usePlaces";

/** How long after `g` its letter may come, in milliseconds. */
const SEQUENCE = 1_200;

export function useShortcuts({ palette, help }: { palette: () => void; help: () => void }): void {
  const navigate = useNavigate();
  const places = usePlaces();
  // Nothing has begun: the time of a page starts at zero, and a letter in its first second is no second one.
  const began = useRef(-Infinity);

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (isMod(event) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      // Whoever answers a question answers it first.
      if (!document.querySelector("[data-modal]")) palette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !hasLetterShortcuts() || document.querySelector("[data-modal]")) return;
    if (event.key === "?") {
      event.preventDefault();
      help();
    } else if (event.key === "/") {
      const box = document.querySelector<HTMLInputElement>('main input[type="search"]');
      if (!box) return;
      event.preventDefault();
      box.focus();
      box.select();
    } else if (event.key === "g") {
      began.current = event.timeStamp;
    } else if (event.timeStamp - began.current < SEQUENCE) {
      began.current = -Infinity;
      const place = places.find((place) => place.key === event.key);
      if (!place) return;
      event.preventDefault();
      void navigate({ to: place.to });
    }
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
