// Where things float that belong to a place in the text.

import { autoUpdate, flip, offset, shift, useFloating, type Placement } from "@floating-ui/react-dom";
import { useLayoutEffect } from "react";

import { useEditor } from "./context";

/** Floats beside a stretch of the text. */
export function useBeside(from: number, to: number, placement: Placement) {
  const controller = useEditor();
  const floating = useFloating({ strategy: "fixed", placement, whileElementsMounted: autoUpdate, middleware: [offset(8), flip({ padding: 8 }), shift({ padding: 8 })] });
  const { refs } = floating;
  useLayoutEffect(() => {
    refs.setReference({
      contextElement: controller.view.dom,
      getBoundingClientRect: () => {
        const size = controller.state.doc.content.size;
        const start = controller.view.coordsAtPos(Math.min(from, size));
        const end = controller.view.coordsAtPos(Math.min(to, size), -1);
        const isOneLine = start.top === end.top;
        const [left, right] = isOneLine ? [Math.min(start.left, end.left), Math.max(start.right, end.right)] : [Math.min(start.left, end.left), Math.max(start.right, end.right)];
        return new DOMRect(left, start.top, right - left, end.bottom - start.top);
      },
    });
  }, [controller, from, to, refs]);
  return floating;
}
