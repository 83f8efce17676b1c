import { DiffView } from "~/components/diff/DiffView";

import { State } from "../Gallery";

export const title = "Differences";

export default function Page() {
  return (
    <>
      <State title="Text">
        <DiffView before="The quick brown fox jumps over the lazy dog." after="The quick red fox leaps over the dog." />
      </State>
      <State title="Text from right to left">
        <DiffView before="قائمة المقالات القديمة" after="قائمة المقالات الجديدة" />
      </State>
      <State title="A list">
        <DiffView before={["Ada", "Grace", "Émile"]} after={["Grace", "Alan", "Émile"]} />
      </State>
      <State title="JSON">
        <DiffView before={{ layout: "wide", columns: 2 }} after={{ layout: "wide", columns: 3, gap: "1rem" }} />
      </State>
      <State title="New; gone; the same">
        <DiffView before={null} after="A summary that was not there." />
        <DiffView before="A summary that is gone." after={null} />
        <DiffView before="Same" after="Same" />
      </State>
    </>
  );
}
