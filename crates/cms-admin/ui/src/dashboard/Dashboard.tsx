// The dashboard: what is there to do, what goes on, and how the site and one's account are doing.

import { Trans, useLingui } from "@lingui/react/macro";
import { LayoutDashboard, SlidersHorizontal } from "lucide-react";
import { Suspense, useState } from "react";

import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { PageHeader } from "~/components/PageHeader";
import { EmptyState } from "~/components/states";
import { lazily } from "~/lib/lazily";
import { useCan, useMe } from "~/session/session";

import { inOrder, useArrangement } from "./arrangement";
import { CARDS } from "./cards";
import { Create } from "./Create";
import { FirstSteps } from "./FirstSteps";

const ArrangeDialog = lazily(() => import("./ArrangeDialog").then(({ ArrangeDialog }) => ArrangeDialog));

export function Dashboard() {
  const { t, i18n } = useLingui();
  const me = useMe();
  const can = useCan();
  const { order, hidden, areStepsOver, change, reset } = useArrangement(me.id);
  const [isArranging, setArranging] = useState(false);
  const name = me.name?.trim().split(/\s+/)[0];
  const own = CARDS.filter(({ permission }) => !permission || can(permission));
  const cards = inOrder(own.map(({ id }) => id), order).flatMap((id) => own.filter((card) => card.id === id));
  const shown = cards.filter(({ id }) => !hidden.includes(id));
  const arrange = (
    <Button icon={<SlidersHorizontal />} aria-haspopup="dialog" onClick={() => setArranging(true)}>
      <Trans>Arrange</Trans>
    </Button>
  );
  return (
    <div data-wide>
      <PageHeader
        title={name ? t`Hello, ${name}` : t`Hello`}
        description={<Trans>What there is to do, and how this site is doing.</Trans>}
        actions={
          <>
            <Create />
            {arrange}
          </>
        }
      />
      {!areStepsOver && <FirstSteps onOver={() => change({ areStepsOver: true })} />}
      {shown.length === 0 ? (
        <Card flush>
          <EmptyState icon={<LayoutDashboard />} title={<Trans>Every card is hidden</Trans>} action={arrange}>
            <Trans>Choose which ones you want to see.</Trans>
          </EmptyState>
        </Card>
      ) : (
        <div className="grid gap-5 lg:grid-cols-2">
          {shown.map(({ id, Card }) => (
            <Card key={id} />
          ))}
        </div>
      )}
      {isArranging && (
        <Suspense>
          <ArrangeDialog
            cards={cards.map(({ id, title }) => ({ id, title: i18n._(title), isHidden: hidden.includes(id) }))}
            onOrder={(order) => change({ order })}
            onShow={(id, isShown) => change({ hidden: isShown ? hidden.filter((other) => other !== id) : [...hidden, id] })}
            onReset={reset}
            onClose={() => setArranging(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
