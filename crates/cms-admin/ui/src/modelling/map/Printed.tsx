// What is printed of the screen with the map: the whole map on one page, and nothing around it.

import { useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";

import { piecesOf, type Drawing } from "./drawing";
import { fit } from "./fit";
import { Shapes } from "./Shapes";

export function Printed({ drawing, title }: { drawing: Drawing; title: string }) {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser takes what is there when this is told.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  useEffect(() => {
    if (!isPrinting) return;
    const root = document.getElementById("root");
    root?.classList.add("print:hidden");
    return () => root?.classList.remove("print:hidden");
  }, [isPrinting]);
  if (!isPrinting) return null;
  const { width, height } = drawing;
  return createPortal(
    <div data-theme="light" className="hidden scheme-light print:block">
      <h1 className="mb-4 text-xl font-semibold">{title}</h1>
      <svg viewBox={`-44 -44 ${width + 88} ${height + 88}`} className="max-h-[85vh] w-full">
        {piecesOf(drawing, fit).map(({ at, shapes }, n) => (
          <g key={n} transform={`translate(${at.x} ${at.y})`}>
            <Shapes of={shapes} />
          </g>
        ))}
      </svg>
    </div>,
    document.body,
  );
}
