// What is offered for an entry, in words and with an icon.

import { useLingui } from "@lingui/react/macro";
import { CalendarClock, CalendarOff, CalendarX, EyeOff, Infinity as Endless, Send } from "lucide-react";
import type { ReactNode } from "react";

import type { AnyEntry } from "~/api/types";

import type { Offer } from "./offers";

export function useOfferWords(): (entry: AnyEntry, offer: Offer) => { label: string; icon: ReactNode } {
  const { t } = useLingui();
  return ({ status, scheduledAt, unpublishAt }, offer) => {
    switch (offer) {
      case "publish":
        return { label: status === "published" ? t`Publish changes…` : scheduledAt === null ? t`Publish` : t`Publish now`, icon: <Send /> };
      case "schedule":
        return { label: scheduledAt === null ? t`Schedule…` : t`Move to another day…`, icon: <CalendarClock /> };
      case "unschedule":
        return { label: t`Unschedule`, icon: <CalendarOff /> };
      case "end":
        return { label: unpublishAt === null ? t`Unpublish later…` : t`Change when to unpublish…`, icon: <CalendarX /> };
      case "keep":
        return { label: t`Keep published`, icon: <Endless /> };
      case "unpublish":
        return { label: t`Unpublish`, icon: <EyeOff /> };
    }
  };
}
