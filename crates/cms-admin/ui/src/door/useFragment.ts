// The secret of a link. It stands after `#`, which browsers do not send: no server and no log on the way sees it.

import { useLocation } from "@tanstack/react-router";

export function useFragmentToken(): string {
  const { hash } = useLocation();
  return new URLSearchParams(hash).get("token") ?? "";
}
