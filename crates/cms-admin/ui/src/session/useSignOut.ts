// Signing out: the session ends on the server, and nothing of it stays in this page.

import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";

import { answer, api } from "~/api/client";
import { isCode } from "~/api/errors";
import { toast } from "~/components/toast";

import { isLeaving, sayFarewell } from "./leaving";

export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    isLeaving.current = true;
    await sayFarewell();
    try {
      await answer(api.POST("/auth/logout"));
    } catch (error) {
      // Whoever is signed out already has what they wanted.
      if (!isCode(error, "NOT_AUTHENTICATED", "INVALID_TOKEN")) {
        isLeaving.current = false;
        toast.bad(error);
        return;
      }
    }
    await navigate({ to: "/signed-out" });
    queries.clear();
    isLeaving.current = false;
  };
}
