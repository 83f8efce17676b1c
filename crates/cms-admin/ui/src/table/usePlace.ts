// Where a list is on the page, and how high its rows are: what the window's scrolling is reckoned with.

import { useEffect, useLayoutEffect, useState, useSyncExternalStore, type RefObject } from "react";

/** How high a row is, in rem: on a desk one line, on a phone a name and a line below it. */
const HEIGHT = { desk: 2.75, phone: 4 };

/** How far from the start of the page an element is, in pixels. It follows what grows and shrinks above. */
export function usePlace(element: RefObject<HTMLElement | null>): number {
  const [place, setPlace] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current) setPlace(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return place;
}

/** How high a row is, in pixels, at the text size of whoever reads and on their screen. */
export function useRowHeight(): number {
  const isPhone = useMedia("(width < 40rem)");
  const [size, setSize] = useState(textSize);
  useEffect(() => {
    const measure = () => setSize(textSize());
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, []);
  return Math.round(size * (isPhone ? HEIGHT.phone : HEIGHT.desk));
}

function textSize(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** Whether a media query matches at this moment. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}
