import { expect, it } from "vitest";

import { isComplete, withFilter, type Filter, type FilterField } from "./model";

const fields: FilterField[] = [
  { id: "price", label: "Price", kind: "number" },
  { id: "stock", label: "Stock", kind: "number", isWhole: true },
  { id: "made", label: "Made", kind: "date", group: "date" },
  { id: "sold", label: "Sold", kind: "date", group: "date" },
  { id: "size", label: "Size", kind: "choice", operators: ["in"], options: [{ value: "s", label: "S" }] },
];
const filter = (field: string, operator: Filter["operator"], ...values: string[]): Filter => ({ field, operator, values });
const complete = (asked: Filter) => isComplete(fields.find(({ id }) => id === asked.field) ?? { id: "", label: "", kind: "text" }, asked);

it("a filter is complete when its values are such that the server can be asked", () => {
  const asked = [
    filter("price", "is", "1.5"), filter("price", "between", "1", "2"), filter("price", "empty"), filter("stock", "atLeast", "3"),
    filter("made", "is", "2026-11-20"), filter("size", "in", "s"),
  ];
  expect(asked.map(complete)).toEqual(asked.map(() => true));
});

it("a filter is not complete without values, or with such as are none", () => {
  const asked = [
    filter("price", "is", ""), filter("price", "is", "  "), filter("price", "is", "x"), filter("price", "between", "1"), filter("stock", "is", "1.5"),
    filter("made", "is", "soon"), filter("made", "is", "2026-13-45"), filter("size", "in"), filter("size", "is", "s"), filter("price", "begins", "1"),
  ];
  expect(asked.map(complete)).toEqual(asked.map(() => false));
});

it("a filter takes the place of the one on its field", () => {
  const before = [filter("price", "is", "1"), filter("stock", "is", "2")];
  expect(withFilter(before, fields, filter("price", "atLeast", "3"))).toEqual([filter("price", "atLeast", "3"), filter("stock", "is", "2")]);
});

it("a filter takes the place of one that cannot be beside it", () => {
  const before = [filter("made", "is", "2026-11-20"), filter("price", "is", "1")];
  expect(withFilter(before, fields, filter("sold", "is", "2026-11-21"))).toEqual([filter("sold", "is", "2026-11-21"), filter("price", "is", "1")]);
});
