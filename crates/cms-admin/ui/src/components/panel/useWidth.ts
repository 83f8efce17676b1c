// How wide somebody made a panel.

import { useState } from "react";

/** In rem, so that it grows with the text. */
export const WIDTH = { least: 16, usual: 20, most: 40 };

export function useWidth(key: string, usual = WIDTH.usual, most = WIDTH.most) {
  const [width, setWidth] = useState(() => read(key, most) ?? usual);
  return {
    width,
    setWidth: (wanted: number) => {
      const width = Math.min(Math.max(wanted, WIDTH.least), most);
      setWidth(width);
      try {
        localStorage.setItem(`cms-width-${key}`, String(width));
      } catch {
        // It then holds until the page is closed.
      }
    },
  };
}

function read(key: string, most: number): number | undefined {
  try {
    const width = Number(localStorage.getItem(`cms-width-${key}`));
    return width >= WIDTH.least && width <= most ? width : undefined;
  } catch {
    return undefined;
  }
}
