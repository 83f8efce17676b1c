// Tables between Portable Text and the editor.

import type { Node } from "prosemirror-model";

import { made, rewritten, unique, written } from "./origins";
import { table, tableCell, tableRow, type CellAttributes } from "./schema";
import { fromSpans, toSpans } from "./spans";
import { areMarks, isList, newKey, type Typed } from "./value";

interface Row extends Typed {
  cells: Cell[];
}

interface Cell extends Typed {
  content: Typed[];
  markDefs?: Typed[];
}

/** Whether a table is one that can be edited: of cells with text, as many in each row. */
export function isTable(block: Typed): boolean {
  const { rows } = block;
  if (block._type !== "table" || !Array.isArray(rows) || rows.length === 0 || !rows.every(isRow)) return false;
  const width = rows[0]?.cells.length;
  return width !== 0 && rows.every(({ cells }) => cells.length === width);
}

function isRow(row: unknown): row is Row {
  return typeof row === "object" && row !== null && Array.isArray((row as Row).cells) && (row as Row).cells.every(isCell);
}

function isCell(cell: unknown): cell is Cell {
  if (typeof cell !== "object" || cell === null) return false;
  const { content, markDefs } = cell as Cell;
  return isList(content) && areMarks(content) && content.every(({ _type }) => _type !== "block") && (markDefs === undefined || isList(markDefs));
}

export function fromTable(block: Typed): Node {
  const rows = (block.rows as Row[]).map((row) => {
    const cells = row.cells.map((cell) => {
      const attributes = { key: cell._key ?? null, isHeader: cell.isHeader === true, source: cell };
      return made(tableCell.create(attributes, fromSpans(cell.content, cell.markDefs ?? [])), cell);
    });
    return made(tableRow.create({ key: row._key ?? null, source: row }, cells), row);
  });
  return table.create({ key: block._key ?? null, hasHeaderRow: block.hasHeaderRow ?? null, source: block }, rows);
}

export function toTable(node: Node): Typed {
  const { key, hasHeaderRow, source } = node.attrs as { key: string | null; hasHeaderRow: unknown; source: Typed | null };
  return rewritten(source ?? { _type: "table" }, { _key: key ?? newKey(), hasHeaderRow, rows: unique(node.children.map(toRow)) });
}

function toRow(node: Node): Typed {
  const { key, source } = node.attrs as { key: string | null; source: Typed | null };
  return written(node, () => rewritten(source ?? { _type: "tableRow" }, { _key: key ?? newKey(), cells: unique(node.children.map(toCell)) }));
}

function toCell(node: Node): Typed {
  const { key, isHeader, source } = node.attrs as CellAttributes;
  return written(node, () => {
    const before = { children: (source?.content ?? []) as Typed[], definitions: (source?.markDefs ?? []) as Typed[] };
    const { children, definitions } = toSpans(node.content, before);
    const markDefs = definitions.length > 0 || source?.markDefs ? definitions : null;
    return rewritten(source ?? { _type: "tableCell" }, { _key: key ?? newKey(), content: children, markDefs, isHeader: isHeader || source?.isHeader !== undefined ? isHeader : null });
  });
}
