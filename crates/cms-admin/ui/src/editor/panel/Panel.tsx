// Everything about an entry as a whole, in sections.

import { Trans, useLingui } from "@lingui/react/macro";

import { Badge } from "~/components/Badge";
import { STATUSES, statusOf } from "~/content/status";

import type { Actions } from "../model/actions";
import { useItem, useSession } from "../model/context";
import type { Rights } from "../model/rights";
import { PUBLISHED_AT, SEO_NAMES } from "../model/values";
import { Address } from "./Address";
import { History } from "./History";
import { Outline } from "./Outline";
import { Ownership } from "./Ownership";
import { Schedule } from "./Schedule";
import { Section } from "./Section";
import { Seo } from "./Seo";
import { Translations } from "./Translations";

interface PanelProps {
  actions: Actions;
  rights: Rights;
  readOnly: boolean;
  /** Says what must be done before something else. */
  onRefused: () => void;
  /** The entry is as it was once. */
  onRestored: () => void;
}

export function Panel({ actions, rights, readOnly, onRefused, onRestored }: PanelProps) {
  const { i18n } = useLingui();
  const { collection } = useSession();
  const item = useItem();
  const { label, tone } = STATUSES[statusOf(item)];
  const has = (feature: (typeof collection.supports)[number]) => collection.supports.includes(feature);
  const canSchedule = has("scheduling") && rights.publish && item !== undefined;
  return (
    <>
      <Section id="publish" isOpen title={<Trans>Publishing</Trans>} aside={<Badge tone={tone}>{i18n._(label)}</Badge>}>
        {() => (
          <>
            {collection.routable && <Address readOnly={readOnly} />}
            <Schedule actions={actions} isAllowed={canSchedule} onRefused={onRefused} />
          </>
        )}
      </Section>
      <Section id="ownership" names={[PUBLISHED_AT]} title={<Trans>Author and dates</Trans>}>
        {() => <Ownership actions={actions} canOwn={rights.own} onRefused={onRefused} />}
      </Section>
      <Section id="translations" title={<Trans>Translations</Trans>} aside={item?.locale}>
        {() => <Translations canTranslate={rights.translate} />}
      </Section>
      {collection.hasSeo && (
        <Section id="seo" names={SEO_NAMES} title={<Trans>Search engines</Trans>}>
          {() => <Seo readOnly={readOnly} />}
        </Section>
      )}
      <Section id="outline" title={<Trans>Outline</Trans>}>
        {() => <Outline />}
      </Section>
      {has("revisions") && (
        <Section id="history" title={<Trans>History</Trans>}>
          {() => <History actions={actions} canRestore={rights.edit && !readOnly} onRefused={onRefused} onRestored={onRestored} />}
        </Section>
      )}
    </>
  );
}
