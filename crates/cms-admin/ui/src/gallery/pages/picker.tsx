import { FileText } from "lucide-react";
import { useState } from "react";

import { PickerField, PickerListField } from "~/components/picker/PickerField";
import { knownSource, type Option, type Source } from "~/components/picker/source";

import { State } from "../Gallery";

export const title = "Picker";

const PEOPLE: Option[] = [
  { id: "a", label: "Ada Lovelace", hint: "ada@example.org" },
  { id: "b", label: "عمر الخيام", hint: "omar@example.org" },
  { id: "c", label: "Somebody with a name that goes on and on beyond what there is room for", hint: "a-very-long-address-of-somebody@example.org" },
  { id: "d", label: "Left the team", hint: "gone@example.org", disabled: true },
];

const MANY: Source<Option> = {
  key: ["gallery", "many"],
  load: async ({ text, cursor }) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const from = Number(cursor ?? 0);
    const all = Array.from({ length: 10_000 }, (_, n) => ({ id: String(n), label: `Entry ${n + 1}`, hint: `/entries/${n + 1}`, icon: <FileText aria-hidden /> }));
    const fitting = all.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
    return { items: fitting.slice(from, from + 50), nextCursor: from + 50 < fitting.length ? String(from + 50) : null };
  },
};

const BROKEN: Source<Option> = { key: ["gallery", "broken"], load: () => Promise.reject(new Error("no")) };

export default function Page() {
  const [one, setOne] = useState<Option | null>(null);
  const [several, setSeveral] = useState<Option[]>(PEOPLE.slice(0, 2));
  const [entry, setEntry] = useState<Option | null>({ id: "1", label: "Entry 2" });
  return (
    <>
      <State title="One of a few, optional">
        <PickerField fieldLabel="Author" label="Choose an author" hint="Who is named above the text." source={knownSource(["people"], PEOPLE)} value={one} onChange={setOne} optional />
      </State>
      <State title="One of ten thousand, recent ones first, a new one in place">
        <PickerField
          fieldLabel="Entry"
          label="Choose an entry"
          source={MANY}
          recentKey="gallery"
          value={entry}
          onChange={setEntry}
          make={{
            label: (typed) => (typed ? `Create “${typed}”` : undefined),
            hint: "It gets a number of its own.",
            onMake: (typed) => setEntry({ id: `new-${typed}`, label: typed }),
          }}
        />
      </State>
      <State title="Several, in order">
        <PickerListField fieldLabel="Authors" label="Choose authors" source={knownSource(["people"], PEOPLE)} value={several} onChange={setSeveral} most={3} />
      </State>
      <State title="An error; a source that fails">
        <PickerField fieldLabel="Entry" label="Choose an entry" source={BROKEN} error="Choose something." value={null} onChange={() => undefined} />
      </State>
    </>
  );
}
