// What navigation, palette and shortcuts know of a screen, which says it itself: `staticData` of its route.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useRouter, type StaticDataRouteOption } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { useMemo } from "react";

import type { Permission } from "~/api/types";
import type { Deed } from "~/audit/deeds";

/** A screen that people go to. */
export interface Place {
  label: MessageDescriptor;
  icon: LucideIcon;
  group: Group;
  /** Where it stands in its group: places with smaller numbers are before it. */
  at: number;
  /** Permission that the screen needs. */
  permission?: Permission;
  /** Whether it is about the site's own ways in, which are switched off behind an access gateway. */
  waysIn?: true;
  /** Letter after `g` that leads there. */
  key?: string;
  /** Other words that people may look for it by. */
  words?: MessageDescriptor;
  /** What is done there, as the audit log says it. */
  deeds?: Deed[];
}

export type Group = "start" | "content" | "people" | "access" | "system" | "account";

/** Headings of the groups of the navigation, in its order. The first has none. */
export const GROUPS: { id: Group; label?: MessageDescriptor }[] = [
  { id: "start" },
  { id: "content", label: msg`Content` },
  { id: "people", label: msg`People` },
  { id: "access", label: msg`Access` },
  { id: "system", label: msg`System` },
  { id: "account", label: msg`Your account` },
];

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    place?: Place;
  }
}

/** A screen with its address. */
interface Screen {
  fullPath: string;
  place: Place;
}

/** The screens that people go to. */
export function useScreens(): Screen[] {
  const { routesById } = useRouter();
  return useMemo(() => {
    const routes = Object.values(routesById) as { fullPath: string; options: { staticData?: StaticDataRouteOption } }[];
    return routes.flatMap(({ fullPath, options }) => (options.staticData?.place ? [{ fullPath, place: options.staticData.place }] : []));
  }, [routesById]);
}
