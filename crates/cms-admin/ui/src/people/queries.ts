// What the screens about people ask for.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { RoleLevel } from "~/api/types";

/** Which people. Part of the address of the list. */
export interface UserSearch {
  search?: string;
  role?: RoleLevel;
  cursor?: string;
}

/** A page of people; the page before stays until it is there. */
export const users = (query: UserSearch) =>
  queryOptions({
    queryKey: ["users", "list", query],
    queryFn: () => answer(api.GET("/admin/users", { params: { query: { ...query, limit: 25 } } })),
    placeholderData: keepPreviousData,
  });

/** One person. */
export const user = (id: string) =>
  queryOptions({ queryKey: ["users", id], queryFn: () => answer(api.GET("/admin/users/{id}", { params: { path: { id } } })) });

/** Everything that opens the site to a person. */
export const userAccess = (id: string) =>
  queryOptions({ queryKey: ["users", id, "access"], queryFn: () => answer(api.GET("/admin/users/{id}/access", { params: { path: { id } } })) });

/** A page of the invitations that wait. */
export const invitations = (query: { cursor?: string }) =>
  queryOptions({
    queryKey: ["invitations", query],
    queryFn: () => answer(api.GET("/auth/invites", { params: { query: { ...query, limit: 25 } } })),
    placeholderData: keepPreviousData,
  });

/** Domains whose people may sign up. */
export const domains = queryOptions({ queryKey: ["domains"], queryFn: () => answer(api.GET("/admin/allowed-domains")) });
