// The collections that have no button of their own, to begin an entry in: there may be a thousand.

import { useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { createElement, type ReactNode } from "react";

import type { Collection } from "~/api/types";
import { Picker } from "~/components/picker/Picker";
import { knownSource } from "~/components/picker/source";
import { collectionIcon } from "~/content/icons";
import { newEntryLink } from "~/content/links";

export function OtherCollections({ collections, trigger }: { collections: readonly Collection[]; trigger: ReactNode }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const options = collections.map(({ slug, label, icon }) => ({ id: slug, label, icon: createElement(collectionIcon(icon), { "aria-hidden": true }) }));
  return <Picker trigger={trigger} label={t`Collection of the new entry`} source={knownSource(["new-entry"], options)} chosen={[]} align="end" onChoose={({ id }) => void navigate(newEntryLink(id))} />;
}
