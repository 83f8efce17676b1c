// The deeds that have words: those of the application, and what screens tell of their own.

import type { MessageDescriptor } from "@lingui/core";
import { useMemo } from "react";

import type { AuditLine } from "~/api/types";
import { useScreens } from "~/shell/places";

import { decisionWords, DEEDS, type DeedGroup } from "./deeds";

interface Deeds {
  groups: DeedGroup[];
  /** A kind of deed in words; none for one that this application does not know yet. */
  wordsOf: (action: string) => MessageDescriptor | undefined;
  /** What was done, in words. */
  lineWords: (line: AuditLine) => MessageDescriptor | undefined;
}

export function useDeeds(): Deeds {
  const screens = useScreens();
  return useMemo(() => {
    const groups = [...DEEDS, ...screens.flatMap(({ place: { label, deeds } }): DeedGroup[] => (deeds ? [{ label, deeds }] : []))];
    const words = new Map(groups.flatMap(({ deeds }) => deeds.map(({ action, words }) => [action, words])));
    return { groups, wordsOf: (action) => words.get(action), lineWords: (line) => decisionWords(line) ?? words.get(line.action) };
  }, [screens]);
}
