// A schema as a tree. What is inside of something is looked up when it is opened: schemas that have themselves in them have no end.

import { Trans, useLingui } from "@lingui/react/macro";
import { ChevronRight } from "lucide-react";
import { useId, useMemo, useState } from "react";

import { cx } from "~/lib/cx";

import { describe, partsOf, type Part } from "../document/describe";
import type { Root, Schema } from "../document/types";
import { Facts, ValueList } from "./Facts";
import { Line } from "./Prose";

/** The members of a schema; what it is, where it has none. */
export function SchemaTree({ root, schema, label }: { root: Root; schema: Schema; label: string }) {
  const parts = useMemo(() => partsOf(root, schema), [root, schema]);
  const { type, facts, values } = useMemo(() => describe(root, schema), [root, schema]);
  if (parts.length === 0) {
    return (
      <div className="grid gap-1">
        <p className="text-sm">
          <code dir="ltr" className="font-mono text-muted">
            {type}
          </code>{" "}
          <span className="text-muted">
            <Facts facts={facts} />
          </span>
        </p>
        <ValueList values={values} />
      </div>
    );
  }
  return <Parts root={root} parts={parts} label={label} />;
}

function Parts({ root, parts, label }: { root: Root; parts: Part[]; label: string }) {
  return (
    <ul aria-label={label} className="grid min-w-0 divide-y divide-line">
      {parts.map((part, n) => (
        <Node key={`${part.kind} ${part.name} ${n}`} root={root} part={part} />
      ))}
    </ul>
  );
}

function Node({ root, part }: { root: Root; part: Part }) {
  const { t } = useLingui();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { type, facts, values, about } = useMemo(() => describe(root, part.schema), [root, part]);
  const inner = useMemo(() => partsOf(root, part.schema), [root, part]);
  const name = part.kind === "any" ? t`any other name` : part.name;
  const shown = part.kind === "any" ? <span className="text-muted italic">{name}</span> : <code className={cx("font-mono font-medium wrap-anywhere", part.kind === "pattern" && "text-muted")}>{name}</code>;
  return (
    <li className="min-w-0 py-1.5">
      <div className="flex min-w-0 items-start gap-1">
        {inner.length > 0 ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-label={t`Members of ${name}`}
            onClick={() => setOpen(!isOpen)}
            className="grid size-6 shrink-0 place-items-center rounded-sm text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11"
          >
            <ChevronRight aria-hidden className={cx("size-4 transition-transform rtl:-scale-x-100", isOpen && "rotate-90 rtl:-rotate-90")} />
          </button>
        ) : (
          <span aria-hidden className="size-6 shrink-0 pointer-coarse:w-11" />
        )}
        <div className="grid min-w-0 grow gap-0.5">
          <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <bdi dir="ltr">{shown}</bdi>
            <code dir="ltr" className="min-w-0 font-mono text-sm wrap-anywhere text-muted">
              {type}
            </code>
            {part.required && (
              <span className="text-xs font-medium text-warn">
                <Trans>required</Trans>
              </span>
            )}
            {facts.length > 0 && (
              <span className="min-w-0 text-sm text-muted">
                <Facts facts={facts} />
              </span>
            )}
          </p>
          {about && (
            <p className="max-w-2xl text-sm text-muted">
              <Line text={about} />
            </p>
          )}
          <ValueList values={values} />
        </div>
      </div>
      {isOpen && (
        <div id={id} className="ms-3 mt-1 border-s border-line ps-3">
          <Parts root={root} parts={inner} label={t`Members of ${name}`} />
        </div>
      )}
    </li>
  );
}
