// How collections are related: as a map, and as a table with the same content for those who do not see the map and for small screens.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Blocks, Download, ListTree, Network, Printer } from "lucide-react";
import { useMemo } from "react";

import { Button, ButtonLink } from "~/components/Button";
import { Card } from "~/components/Card";
import { Notice } from "~/components/Notice";
import { PageHeader } from "~/components/PageHeader";
import { SearchField } from "~/components/SearchField";
import { EmptyState, ErrorState, Loaded, Skeleton } from "~/components/states";
import { useSiteName } from "~/door/queries";
import { direction } from "~/lib/language";
import { useIsNarrow } from "~/lib/useMedia";

import { exported } from "../queries";
import { save } from "../save";
import { drawn, piecesOf, wantedOf, type Drawing } from "./drawing";
import { fit } from "./fit";
import { MapView } from "./MapView";
import { Printed } from "./Printed";
import { RelationList } from "./RelationList";
import { boxesOf, narrowed, type Box } from "./relations";
import { svgOf } from "./svg";
import { useArranged } from "./useArranged";

type Look = "map" | "table";

interface MapScreenProps {
  /** What is looked for by name. */
  text: string | undefined;
  look: string | undefined;
  onSearch: (search: { q?: string | undefined; as?: string | undefined }) => void;
}

export function MapScreen({ text, look, onSearch }: MapScreenProps) {
  const { t } = useLingui();
  const query = useQuery(exported);
  const isNarrow = useIsNarrow();
  // On small screens nobody sees much of a map, unless they ask for it.
  const shown: Look = look === "map" || look === "table" ? look : isNarrow ? "table" : "map";
  const all = useMemo(() => query.data && boxesOf(query.data), [query.data]);
  const boxes = useMemo(() => all && narrowed(all, text ?? ""), [all, text]);
  return (
    <div data-wide>
      <PageHeader
        title={t`Relations`}
        description={<Trans>Which collections refer to which, and by which of their fields.</Trans>}
        back={
          <Link to="/model">
            <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
            <Trans>Content model</Trans>
          </Link>
        }
      />
      {!all || !boxes ? (
        <Card flush>
          <Loaded query={query}>{() => null}</Loaded>
        </Card>
      ) : all.length === 0 ? (
        <Card flush>
          <EmptyState
            icon={<Blocks />}
            title={<Trans>No collections yet</Trans>}
            action={
              <ButtonLink to="/model" variant="primary">
                <Trans>Go to the content model</Trans>
              </ButtonLink>
            }
          >
            <Trans>Once there are collections with references between them, they are drawn here.</Trans>
          </EmptyState>
        </Card>
      ) : (
        <div className="grid gap-4">
          <div className="flex flex-wrap items-center gap-3">
            <SearchField label={t`Find collections`} value={text} onChange={(q) => onSearch({ q, as: look })} />
            <p role="status" className="text-sm text-muted">
              <Found all={all} boxes={boxes} />
            </p>
            <span className="ms-auto">
              {shown === "map" ? (
                <Button icon={<ListTree />} onClick={() => onSearch({ q: text, as: "table" })}>
                  <Trans>Show as a table</Trans>
                </Button>
              ) : (
                <Button icon={<Network />} onClick={() => onSearch({ q: text, as: "map" })}>
                  <Trans>Show as a map</Trans>
                </Button>
              )}
            </span>
          </div>
          {boxes.length === 0 ? (
            <Card flush>
              <EmptyState
                title={<Trans>No collection has this in its name</Trans>}
                action={
                  <Button onClick={() => onSearch({ as: look })}>
                    <Trans>Clear search</Trans>
                  </Button>
                }
              />
            </Card>
          ) : shown === "table" ? (
            <RelationList key={text ?? ""} boxes={boxes} />
          ) : (
            <LaidOut boxes={boxes} />
          )}
        </div>
      )}
    </div>
  );
}

/** How much of the model is shown. */
function Found({ all, boxes }: { all: Box[]; boxes: Box[] }) {
  const [total, missing, found] = [all.filter(({ isMissing }) => !isMissing).length, all.filter(({ isMissing }) => isMissing).length, boxes.filter(({ isBeside }) => !isBeside).length];
  const beside = boxes.length - found;
  if (found < all.length) {
    return (
      <Trans>
        <Plural value={found} one="# found" other="# found" />, <Plural value={beside} one="# related to it" other="# related to them" />
      </Trans>
    );
  }
  return (
    <>
      <Plural value={total} one="# collection" other="# collections" />
      {missing > 0 && (
        <>
          {", "}
          <Plural value={missing} one="# missing" other="# missing" />
        </>
      )}
    </>
  );
}

function LaidOut({ boxes }: { boxes: Box[] }) {
  const { t, i18n } = useLingui();
  const site = useSiteName();
  const wanted = useMemo(() => wantedOf(boxes), [boxes]);
  const { arrangement, error, again } = useArranged(wanted);
  const isRight = direction(i18n.locale) === "rtl";
  const [any, missing] = [t`any`, t`does not exist`];
  const arranged = arrangement?.of === wanted ? arrangement : undefined;
  const drawing = useMemo(() => arranged && drawn(boxes, arranged.arranged, isRight, { any, missing }), [boxes, arranged, isRight, any, missing]);
  if (error !== undefined) {
    return (
      <Card flush>
        <ErrorState error={error} onRetry={again} />
      </Card>
    );
  }
  if (!drawing) {
    return (
      <div role="status" className="grid gap-2">
        <Skeleton className="h-[max(22rem,calc(100dvh-var(--header-height)-15rem))] w-full rounded-lg" />
        <p className="text-sm text-muted">
          <Trans>The map is being laid out…</Trans>
        </p>
      </div>
    );
  }
  const title = t`Content model of ${site}`;
  return (
    <>
      {arranged?.isPlain && (
        <Notice>
          <Trans>There are so many relations that no order was found for them in time, so related collections stand in rows. Look for one to see what it is related to.</Trans>
        </Notice>
      )}
      <MapView drawing={drawing} />
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <Legend />
        <span className="ms-auto flex flex-wrap gap-2">
          <Button size="sm" icon={<Printer />} onClick={() => globalThis.print()}>
            <Trans>Print</Trans>
          </Button>
          <Button size="sm" icon={<Download />} onClick={() => save("content-model.svg", "image/svg+xml", fileOf(title, drawing))}>
            <Trans>Save as SVG</Trans>
          </Button>
        </span>
      </div>
      <Printed drawing={drawing} title={title} />
    </>
  );
}

function fileOf(title: string, drawing: Drawing): string {
  return svgOf(title, drawing, piecesOf(drawing, fit));
}

function Legend() {
  return (
    <p className="max-w-2xl min-w-0 grow basis-64 text-sm text-muted">
      <Trans>
        Each arrow is a field that refers to entries: <bdi className="font-medium">1</bdi> names exactly one, <bdi className="font-medium">0..1</bdi> at most one, <bdi className="font-medium">1..n</bdi> at least one and{" "}
        <bdi className="font-medium">0..n</bdi> any number. Drag to move, hold Ctrl and turn the wheel to zoom.
      </Trans>
    </p>
  );
}
