// What differs between two values of a field. Said in words to those who hear the page, and never by colour alone.

import { Trans } from "@lingui/react/macro";

import { cx } from "~/lib/cx";

import { jsonPieces, listPieces, textPieces, type Piece } from "./pieces";

/** The two values, from before to after: texts, lists of names, or anything else as JSON. */
export interface DiffViewProps {
  before: unknown;
  after: unknown;
}

export function DiffView({ before, after }: DiffViewProps) {
  if (isText(before) && isText(after)) return <Flow pieces={textPieces(before ?? "", after ?? "")} />;
  if (isNames(before) && isNames(after)) return <Items pieces={listPieces(before ?? [], after ?? [])} />;
  return <Flow pieces={jsonPieces(before ?? undefined, after ?? undefined)} isCode />;
}

function isText(value: unknown): value is string | null | undefined {
  return value === null || value === undefined || typeof value === "string";
}

function isNames(value: unknown): value is string[] | null | undefined {
  return value === null || value === undefined || (Array.isArray(value) && value.every((name) => typeof name === "string"));
}

function Flow({ pieces, isCode = false }: { pieces: Piece[]; isCode?: boolean }) {
  if (!pieces.some(({ kind }) => kind !== "same")) return <Same />;
  return (
    <div dir={isCode ? "ltr" : "auto"} className={cx("min-w-0 wrap-anywhere whitespace-pre-wrap", isCode && "overflow-x-auto font-mono text-sm")}>
      {pieces.map((piece, n) => (
        <Marked key={n} piece={piece} />
      ))}
    </div>
  );
}

function Items({ pieces }: { pieces: Piece[] }) {
  if (!pieces.some(({ kind }) => kind !== "same")) return <Same />;
  return (
    <ul className="grid gap-1">
      {pieces.map((piece, n) => (
        <li key={n} className="min-w-0 break-words">
          <Marked piece={piece} />
        </li>
      ))}
    </ul>
  );
}

function Marked({ piece: { kind, text } }: { piece: Piece }) {
  if (kind === "same") return <span>{text}</span>;
  const isAdded = kind === "added";
  const Mark = isAdded ? "ins" : "del";
  return (
    <Mark className={cx("rounded-sm box-decoration-clone px-0.5", isAdded ? "bg-good-soft text-good underline decoration-2 underline-offset-2" : "bg-bad-soft text-bad line-through")}>
      <span className="sr-only">{isAdded ? <Trans>Inserted:</Trans> : <Trans>Deleted:</Trans>} </span>
      {text}
      <span className="sr-only"> {isAdded ? <Trans>End of insertion.</Trans> : <Trans>End of deletion.</Trans>}</span>
    </Mark>
  );
}

function Same() {
  return (
    <p className="text-muted">
      <Trans>No differences.</Trans>
    </p>
  );
}
