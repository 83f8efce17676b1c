// What programs ask of a collection most, each as a call that snippets are made of.

import type { Collection } from "~/api/types";
import type { Call } from "~/explorer/snippets/call";

import { SAMPLE_ID, sampleChange, sampleData } from "./samples";

export type Ask = "list" | "get" | "create" | "update" | "publish";

export const ASKS: readonly Ask[] = ["list", "get", "create", "update", "publish"];

const OPERATIONS: Record<Ask, Pick<Call, "operationId" | "method" | "path">> = {
  list: { operationId: "listContent", method: "GET", path: "/content/{collection}" },
  get: { operationId: "getContent", method: "GET", path: "/content/{collection}/{id}" },
  create: { operationId: "createContent", method: "POST", path: "/content/{collection}" },
  update: { operationId: "updateContent", method: "PUT", path: "/content/{collection}/{id}" },
  publish: { operationId: "publishContent", method: "POST", path: "/content/{collection}/{id}/publish" },
};

export function callOf(ask: Ask, { slug, fields }: Pick<Collection, "slug" | "fields">): Call {
  const operation = OPERATIONS[ask];
  const parameters: Call["parameters"] = [{ in: "path", name: "collection", value: slug }];
  if (operation.path.includes("{id}")) parameters.push({ in: "path", name: "id", value: SAMPLE_ID });
  if (ask === "list") parameters.push({ in: "query", name: "status", value: "published" }, { in: "query", name: "limit", value: "10", isJson: true });
  const data = ask === "create" ? sampleData(fields ?? []) : ask === "update" ? sampleChange(fields ?? []) : undefined;
  return { ...operation, parameters, ...(data ? { body: JSON.stringify({ data }, null, 2) } : {}) };
}
