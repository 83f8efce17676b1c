// Does what is chosen on cards and chips: asks before it, shows what came of it in place, offers to take it back, and tells refusals at the entry.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState, type ReactNode } from "react";

import { isCode } from "~/api/errors";
import type { AnyEntry } from "~/api/types";
import { toast } from "~/components/toast";
import { useMay } from "~/content/may";
import { useSiteTime } from "~/content/plan";
import { reasonOf } from "~/content/reasons";
import { useSteady } from "~/lib/useSteady";
import { useCan } from "~/session/session";

import { Asked, type Question } from "./Asked";
import { fresh, perform } from "./deeds";
import type { Now } from "./keep";
import { titleOf, useNames } from "./names";
import { offersOf, type Offer } from "./offers";
import { PlannerContext, type Planner } from "./planner";
import { endsFirst, stepsBack, type PlanDeed } from "./steps";

interface PlannerProviderProps {
  /** Shows an entry as it is now, or that it is gone. */
  place: (now: Now) => Promise<void>;
  /** There is little room at an entry: what it says of refusals is said aloud as well. */
  isTerse?: boolean;
  onVisit?: (entry: AnyEntry) => void;
  children: ReactNode;
}

export function PlannerProvider({ place, isTerse = false, onVisit, children }: PlannerProviderProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const may = useMay();
  const can = useCan();
  const { collectionOf } = useNames();
  const siteTime = useSiteTime();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const [asked, setAsked] = useState<Question>();
  const { follow, followed } = useFollowing();
  const untitled = t`Untitled`;
  const nameOf = useCallback((entry: AnyEntry) => titleOf(entry, untitled), [untitled]);

  function refuse({ id }: AnyEntry, reason: string | undefined) {
    setRefusals((refusals) => {
      const others = new Map([...refusals].filter(([other]) => other !== id));
      return reason === undefined ? others : others.set(id, reason);
    });
  }

  async function show(entry: AnyEntry) {
    const isPlaced = follow(entry);
    await place({ id: entry.id, type: entry.type, entry });
    isPlaced();
  }

  /** Says at an entry why something did not work. */
  function say(entry: AnyEntry, reason: string, isAloud = false) {
    refuse(entry, reason);
    if (isTerse || isAloud) toast.bad(reason);
  }

  /** Tells why something did not work. What others did meanwhile is shown. */
  async function fail(entry: AnyEntry, error: unknown, isAloud = false) {
    const isOutdated = isCode(error, "CONFLICT");
    const now = isOutdated ? await fresh(queries, entry).catch(() => entry) : entry;
    if (now === undefined || isCode(error, "NOT_FOUND")) {
      await place({ id: entry.id, type: entry.type, entry: undefined });
      const name = nameOf(entry);
      toast.bad(t`“${name}” does not exist any more.`);
      return;
    }
    if (isOutdated) await show(now);
    say(now, isOutdated ? t`It was changed in the meantime. This is how it stands now.` : reasonOf(error), isAloud);
  }

  /** Does something with an entry that nobody does anything with, and keeps others off it until it is done. */
  async function hold(entry: AnyEntry, work: () => Promise<void>) {
    if (busy.has(entry.id)) return;
    setBusy((busy) => new Set([...busy, entry.id]));
    refuse(entry, undefined);
    try {
      await work();
    } finally {
      setBusy((busy) => new Set([...busy].filter((id) => id !== entry.id)));
    }
  }

  async function run(entry: AnyEntry, deed: PlanDeed) {
    if (endsFirst(entry, deed)) {
      say(entry, t`It would be unpublished before it is published. Change when that is first.`);
      return;
    }
    let after: AnyEntry;
    try {
      after = await perform(entry, deed);
    } catch (error) {
      await fail(entry, error);
      return;
    }
    await show(after);
    const steps = stepsBack(entry, deed, can("content:publish_any"));
    const news = tell(entry, deed);
    if (steps) toast.undo(news, () => void hold(after, () => takeBack(after, steps)), undefined, entry.id);
    else toast.good(news);
  }

  async function takeBack(entry: AnyEntry, steps: readonly PlanDeed[]) {
    let now = entry;
    try {
      for (const step of steps) now = await perform(now, step);
      await show(now);
      toast.good(<Trans>Undone.</Trans>);
    } catch (error) {
      // Some of it may be done.
      if (now !== entry) await show(now);
      await fail(now, error, true);
    }
  }

  function tell(entry: AnyEntry, deed: PlanDeed): ReactNode {
    const name = <bdi className="line-clamp-2 font-medium">{nameOf(entry)}</bdi>;
    return (
      <>
        {name}
        {said(entry, deed)}
      </>
    );
  }

  function said({ status }: AnyEntry, deed: PlanDeed): string {
    const time = "at" in deed && deed.at !== null ? siteTime(deed.at) : "";
    switch (deed.kind) {
      case "publish":
        return status === "published" ? t`The changes are public.` : t`Published.`;
      case "unpublish":
        return t`Unpublished.`;
      case "schedule":
        return status === "published" ? t`The changes will be published on ${time}.` : t`Will be published on ${time}.`;
      case "unschedule":
        return t`No longer scheduled.`;
      case "end":
        return deed.at === null ? t`Stays published.` : t`Will be unpublished on ${time}.`;
      case "undate":
        return "";
    }
  }

  const act = useSteady((entry: AnyEntry, deed: PlanDeed) => void hold(entry, () => run(entry, deed)));
  const visit = useSteady((entry: AnyEntry) => onVisit?.(entry));
  const choose = useSteady((entry: AnyEntry, offer: Offer) => {
    if (offer === "unschedule") act(entry, { kind: "unschedule" });
    else if (offer === "keep") act(entry, { kind: "end", at: null });
    else if (offer === "publish" && entry.status !== "published") act(entry, { kind: "publish" });
    else if (offer === "unpublish" && !entry.hasDraft) act(entry, { kind: "unpublish" });
    // What needs an instant, and what cannot be taken back.
    else setAsked({ entry, offer });
  });

  // What is on the screen is drawn anew only when something of this changes.
  const planner = useMemo(
    (): Planner => ({
      offers: (entry) => offersOf(entry, { mayPublish: may.publish(entry), canSchedule: collectionOf(entry.type)?.supports.includes("scheduling") === true }),
      choose,
      act,
      visit,
      isBusy: ({ id }) => busy.has(id),
      refusal: ({ id }) => refusals.get(id),
      nameOf,
      followed,
    }),
    [may, collectionOf, choose, act, visit, busy, refusals, nameOf, followed],
  );
  return (
    <PlannerContext value={planner}>
      {children}
      {asked && <Asked {...asked} name={nameOf(asked.entry)} onClose={() => setAsked(undefined)} onDeed={(deed) => act(asked.entry, deed)} />}
    </PlannerContext>
  );
}

/** How long a menu or a dialog that closes takes to give the focus back, in milliseconds. */
const SETTLED = 60;

/** Where the keyboard stands at an entry that goes elsewhere, it goes along. */
function useFollowing() {
  const [moved, setMoved] = useState<{ id: string }>();
  useEffect(() => {
    if (!moved) return;
    const timer = setTimeout(() => {
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      const entry = document.querySelector<HTMLElement>(`[data-entry="${moved.id}"]`);
      const control = entry?.matches("[data-control]") ? entry : entry?.querySelector<HTMLElement>("[data-control]");
      (control ?? document.querySelector<HTMLElement>("[data-page-heading]"))?.focus();
    }, SETTLED);
    return () => clearTimeout(timer);
  }, [moved]);
  return {
    followed: moved?.id,
    /** Looks where the keyboard stands; what it answers with is called when the entry is at its new place. */
    follow: ({ id }: AnyEntry) => {
      const isThere = document.activeElement?.closest(`[data-entry="${id}"]`) != null || document.activeElement === document.body;
      return () => {
        if (isThere) setMoved({ id });
      };
    },
  };
}
