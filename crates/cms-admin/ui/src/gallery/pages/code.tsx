import { useState } from "react";

import { CodeField } from "~/components/CodeField";

import { State } from "../Gallery";

export const title = "Code";

export default function Page() {
  const [json, setJson] = useState('{\n  "layout": "wide",\n  "columns": 3,\n  "isOpen": true,\n  "nothing": null\n}');
  const [broken, setBroken] = useState('{ "layout": ');
  const [long, setLong] = useState('{ "views": 12345678901234567890 }');
  return (
    <>
      <State title="JSON">
        <CodeField label="Settings" language="json" value={json} onChange={setJson} />
      </State>
      <State title="With a mistake">
        <CodeField label="Settings" language="json" value={broken} onChange={setBroken} error="This cannot be read yet." />
      </State>
      <State title="JSON that is kept as its text">
        <CodeField label="Body" language="json" verbatim value={long} onChange={setLong} />
      </State>
      <State title="A program, read only">
        <CodeField label="Program" language="typescript" value={"// Adds.\nexport const add = (a: number, b: number) => a + b;"} onChange={() => undefined} readOnly />
      </State>
      <State title="Empty">
        <CodeField label="Styles" language="css" value="" onChange={() => undefined} placeholder="a { color: inherit; }" hint="Escape, then Tab leaves the editor." optional />
      </State>
    </>
  );
}
