// A head that stays on top while the page scrolls, and follows its rows sideways. One box cannot do both: what scrolls sideways holds what sticks to it.

import { useEffect, useRef, type RefObject } from "react";

export function useSidewaysHead(): { head: RefObject<HTMLTableSectionElement | null>; body: RefObject<HTMLTableSectionElement | null> } {
  const head = useRef<HTMLTableSectionElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const [above, below] = [head.current, body.current];
    if (!above || !below) return;
    const follow = () => (above.scrollLeft = below.scrollLeft);
    // A button of the head that is reached by Tab scrolls the head, and the rows have to follow it.
    const lead = () => (below.scrollLeft = above.scrollLeft);
    below.addEventListener("scroll", follow, { passive: true });
    above.addEventListener("scroll", lead, { passive: true });
    return () => {
      below.removeEventListener("scroll", follow);
      above.removeEventListener("scroll", lead);
    };
  }, []);
  return { head, body };
}
