// What the server would do for the model to be that of a file.

import { useQuery } from "@tanstack/react-query";

import { answer, api } from "~/api/client";

import { bodyOf, withCollections, type Declared } from "./plan";
import type { Read } from "./useReading";

export function usePlan(read: Read | undefined, declared: Declared) {
  const model = read?.model;
  const body = bodyOf(declared);
  return useQuery({
    queryKey: ["model-plan", read?.number, body],
    queryFn: ({ signal }) =>
      answer(api.POST("/schema/plan", { body: { ...body, collections: [] }, bodySerializer: (body) => withCollections(body, model?.collections ?? "[]"), signal })),
    enabled: model !== undefined,
    // While something else is declared, the plan before stays in sight.
    placeholderData: (before) => before,
    // It is of the model that there was when it was asked for, and the server refuses what is not any more.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
}
