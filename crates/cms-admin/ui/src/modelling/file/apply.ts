// Changing the model as a plan says.

import { answer, api } from "~/api/client";
import { ApiError, isCode } from "~/api/errors";

import { bodyOf, lossesOf, withCollections, type Declared, type Plan } from "./plan";

export interface Done {
  plan: Plan;
  /** The model as it was, as a file has it. */
  before: unknown;
}

/** Takes the steps of a plan, if they still are what they were when it was made. What deletes values was agreed to before. */
export async function apply(plan: Plan, collections: string, declared: Declared): Promise<Done> {
  // The server refuses a plan of another model: what is taken here is what there was, or nothing changes.
  const before = await answer(api.GET("/schema"));
  const body = { ...bodyOf(declared), collections: [], version: plan.version, lose: lossesOf(plan).map(({ name }) => name) };
  return { plan: await answer(api.POST("/schema/apply", { body, bodySerializer: (body) => withCollections(body, collections) })), before };
}

/** Why a plan was not carried out: `changed` since it was made, `unknown` where no answer came, or something that the server says. */
export function reasonOf(error: unknown): "changed" | "unknown" | "refused" {
  if (isCode(error, "CONFLICT")) return "changed";
  // Somebody wrote entries meanwhile: more would be lost than was agreed to.
  if (error instanceof ApiError && error.issues.some(({ path }) => path === "lose")) return "changed";
  if (error instanceof ApiError && (error.isUnanswered || error.status === 408 || error.status >= 500)) return "unknown";
  return "refused";
}

/** The collection that a refusal is about: the server names it, or a field of it, first. */
export function collectionOf(error: unknown): string {
  return (error instanceof ApiError && /^`([a-z0-9_]+)[.`]/.exec(error.message)?.[1]) || "";
}
