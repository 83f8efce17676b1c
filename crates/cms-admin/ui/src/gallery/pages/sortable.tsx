import { useState } from "react";

import { TextField } from "~/components/Field";
import { SortableList } from "~/components/sortable/SortableList";

import { State } from "../Gallery";

export const title = "Sortable list";

const NAMES = ["Introduction", "A name that is so long that it does not fit into a line on any phone that anybody has", "قائمة", "Outlook"];

export default function Page() {
  const [names, setNames] = useState(NAMES);
  const [rows, setRows] = useState(() => ["One", "Two", "Three"].map((text, id) => ({ id: String(id), text })));
  return (
    <>
      <State title="Names">
        <SortableList label="Chapters" items={names} itemKey={(name) => name} itemName={(name) => name} onMove={setNames}>
          {(name) => <bdi className="break-words">{name}</bdi>}
        </SortableList>
      </State>
      <State title="With fields in it">
        <SortableList label="Rows" items={rows} itemKey={({ id }) => id} itemName={({ text }, n) => text || `Row ${n + 1}`} onMove={setRows}>
          {({ id, text }) => (
            <TextField label="Text" value={text} onChange={(event) => setRows(rows.map((row) => (row.id === id ? { id, text: event.target.value } : row)))} />
          )}
        </SortableList>
      </State>
      <State title="One item, nothing to move">
        <SortableList label="Lonely" items={["Alone"]} itemKey={(name) => name} itemName={(name) => name} onMove={() => undefined}>
          {(name) => name}
        </SortableList>
      </State>
    </>
  );
}
