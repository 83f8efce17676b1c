// References are followed when something is looked at, and not before: a schema that has itself in it has no end.

import type { Root, Schema } from "./types";

/** How many references may follow upon each other. */
const MOST = 32;

/** What a pointer leads to (RFC 6901), in a fragment. Nothing where that is not there. */
function at(root: Root, pointer: string): unknown {
  if (!pointer.startsWith("#/")) return undefined;
  let place: unknown = root;
  for (const part of pointer.slice(2).split("/")) {
    const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, name)) return undefined;
    place = (place as Record<string, unknown>)[name];
  }
  return place;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Something in the place of its reference. What stands beside the reference holds over what is found. */
export function resolved<T extends object>(root: Root, given: T | { $ref: string }): T {
  let found = given as T & { $ref?: string };
  for (let steps = 0; found.$ref !== undefined && steps < MOST; steps++) {
    const { $ref, ...beside } = found;
    const target = at(root, $ref);
    // A circle of references, or one that leads nowhere, is something of which nothing is known.
    found = { ...(typeof target === "object" ? target : undefined), ...beside } as T & { $ref?: string };
  }
  const rest = { ...found };
  delete rest.$ref;
  return rest;
}

/** What the target of a reference is called. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.slice($ref.lastIndexOf("/") + 1);
}
