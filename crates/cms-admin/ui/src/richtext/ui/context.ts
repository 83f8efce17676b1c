// The editor, for what is drawn around it.

import type { EditorState } from "prosemirror-state";
import { createContext, use, useSyncExternalStore } from "react";

import type { Controller } from "../controller";

export const EditorContext = createContext<Controller | null>(null);

export function useEditor(): Controller {
  const controller = use(EditorContext);
  if (!controller) throw new Error("there is no editor around this");
  return controller;
}

/** Something about the state of the editor. It is drawn anew when it is another one, so it is a word, a number or something that stays the same object. */
export function useWatched<T extends string | number | boolean | null | object>(look: (state: EditorState) => T): T {
  const controller = useEditor();
  return useSyncExternalStore(controller.subscribe, () => look(controller.state));
}
