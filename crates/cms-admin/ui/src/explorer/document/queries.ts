// The documents: the contract, as the server has it, and beside it what only this application uses, as it was built with it.

import { queryOptions } from "@tanstack/react-query";

import { refusal } from "~/api/client";
import { ApiError } from "~/api/errors";
import { patiently } from "~/lib/lazily";
import { prefix } from "~/lib/site";

import { groupsOf, type Group } from "./operations";
import type { ApiDocument } from "./types";

/** The document of the application's own client. As a glob, so that nobody has to infer the type of a megabyte. */
const INTERNAL = import.meta.glob<{ default: ApiDocument }>("../../../openapi.json");

async function contract(signal: AbortSignal): Promise<ApiDocument> {
  let response: Response;
  try {
    response = await fetch(`${prefix}/api/openapi.json`, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError({ status: 0, code: "NETWORK", message: "the server cannot be reached" });
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok || body === undefined) throw refusal(body, response);
  return body as ApiDocument;
}

async function internal(): Promise<ApiDocument> {
  const [fetched] = Object.values(INTERNAL);
  if (!fetched) return { info: { title: "", version: "" }, paths: {} };
  return (await patiently(fetched)).default;
}

export interface Documents {
  title: string;
  version: string;
  /** What the contract says of all operations. */
  about: string;
  groups: Group[];
}

/** Every operation: first those of the contract, then those that are no part of it. */
export const documents = queryOptions({
  queryKey: ["explorer", "documents"],
  queryFn: async ({ signal }): Promise<Documents> => {
    const [own, all] = await Promise.all([contract(signal), internal()]);
    const groups = groupsOf(own);
    const except = new Set(groups.flatMap(({ operations }) => operations.map(({ id }) => id)));
    return { title: own.info.title, version: own.info.version, about: own.info.description ?? "", groups: [...groups, ...groupsOf(all, { isInternal: true, except })] };
  },
  staleTime: 5 * 60_000,
});
