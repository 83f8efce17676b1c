// What a job is called.

import { useLingui } from "@lingui/react/macro";

import type { Job } from "~/api/types";

import { KINDS } from "./words";

/** What a job is called, in the language of whoever looks. */
export function useName(): (job: Job) => string {
  const { i18n } = useLingui();
  return ({ kind, title }) => {
    const words = KINDS[kind];
    return words ? i18n._(words) : title;
  };
}
