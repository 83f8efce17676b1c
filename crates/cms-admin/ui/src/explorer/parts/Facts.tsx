// What bounds the values of a schema, in a line of short words.

import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

import type { Description, Fact } from "../document/describe";
import { Line } from "./Prose";

function Mono({ children }: { children: ReactNode }) {
  return (
    <code dir="ltr" className="font-mono wrap-anywhere">
      {children}
    </code>
  );
}

/** As in `1–63`, `≥ 1` and `≤ 63`. */
function rangeOf(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return `≤ ${most ?? ""}`;
  if (most === undefined) return `≥ ${least}`;
  return least === most ? String(least) : `${least}–${most}`;
}

function FactText({ fact }: { fact: Fact }) {
  switch (fact.kind) {
    case "length":
    case "range":
    case "items":
    case "members": {
      const range = <Mono>{rangeOf(fact.least, fact.most)}</Mono>;
      if (fact.kind === "length") return <Trans>length {range}</Trans>;
      if (fact.kind === "range") return <Trans>value {range}</Trans>;
      return fact.kind === "items" ? <Trans>items {range}</Trans> : <Trans>members {range}</Trans>;
    }
    case "above":
      return <Mono>&gt; {fact.value}</Mono>;
    case "below":
      return <Mono>&lt; {fact.value}</Mono>;
    case "unique":
      return <Trans>unique items</Trans>;
    case "deprecated":
      return <Trans>deprecated</Trans>;
    default: {
      const value = <Mono>{fact.value}</Mono>;
      if (fact.kind === "pattern") return <Trans>matches {value}</Trans>;
      if (fact.kind === "names") return <Trans>names match {value}</Trans>;
      if (fact.kind === "default") return <Trans>default {value}</Trans>;
      return fact.kind === "example" ? <Trans>example {value}</Trans> : <Trans>format {value}</Trans>;
    }
  }
}

export function Facts({ facts }: { facts: Fact[] }) {
  return facts.map((fact, n) => (
    <span key={n}>
      {n > 0 && <span aria-hidden> · </span>}
      <FactText fact={fact} />
    </span>
  ));
}

/** The values that there are, each with what is said of it. */
export function ValueList({ values }: Pick<Description, "values">) {
  if (values.length === 0) return null;
  if (values.every(({ about }) => about === undefined)) {
    return (
      <p className="flex flex-wrap gap-x-2 gap-y-0.5 text-sm">
        {values.map(({ value }) => (
          <Mono key={value}>{value}</Mono>
        ))}
      </p>
    );
  }
  return (
    <dl className="grid gap-x-3 gap-y-0.5 text-sm sm:grid-cols-[auto_1fr]">
      {values.map(({ value, about }) => (
        <div key={value} className="sm:col-span-2 sm:grid sm:grid-cols-subgrid">
          <dt>
            <Mono>{value}</Mono>
          </dt>
          <dd className="text-muted">{about && <Line text={about} />}</dd>
        </div>
      ))}
    </dl>
  );
}
