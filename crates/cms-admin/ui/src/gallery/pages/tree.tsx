import { useState } from "react";

import { Tree } from "~/components/tree/Tree";

import { State } from "../Gallery";

export const title = "Tree";

const ITEMS = [
  { id: "1", name: "Home" },
  { id: "2", name: "Blog", children: [{ id: "3", name: "2025", children: [{ id: "4", name: "A page whose name is much longer than there is room for on most of the screens that people have" }] }, { id: "5", name: "2026" }] },
  { id: "6", name: "قسم", children: [{ id: "7", name: "صفحة" }] },
];

export default function Page() {
  const [selected, setSelected] = useState("5");
  return (
    <State title="Open and closed branches, one selected">
      <div className="max-w-96 rounded-lg border border-line bg-surface p-2">
        <Tree label="Pages" items={ITEMS} selected={selected} onSelect={({ id }) => setSelected(id)} open={["2", "3"]} />
      </div>
    </State>
  );
}
