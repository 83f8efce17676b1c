// The controls of all nodes that have some, each in its place.

import { memo, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";

import { callout, code, inlineObject, toggle } from "../schema";
import { CalloutHead, CodeHead, ToggleHead } from "./Heads";
import { InlineCard, ObjectCard } from "./ObjectCard";
import type { Shelf, Shown } from "./views";

export function Portals({ shelf }: { shelf: Shelf }) {
  const all = useSyncExternalStore(shelf.subscribe, shelf.get);
  return all.map((shown) => <Portal key={shown.id} shown={shown} />);
}

const Portal = memo(function Portal({ shown }: { shown: Shown }) {
  return createPortal(<Controls shown={shown} />, shown.place);
});

function Controls({ shown }: { shown: Shown }) {
  switch (shown.node.type) {
    case code:
      return <CodeHead shown={shown} />;
    case callout:
      return <CalloutHead shown={shown} />;
    case toggle:
      return <ToggleHead shown={shown} />;
    case inlineObject:
      return <InlineCard shown={shown} />;
    default:
      return <ObjectCard shown={shown} />;
  }
}
