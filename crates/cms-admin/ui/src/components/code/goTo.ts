// Puts the cursor somewhere in an editor of code.

import { EditorView } from "@codemirror/view";

export function goTo(id: string, at: number): void {
  const editor = document.getElementById(id)?.shadowRoot?.querySelector<HTMLElement>(".cm-editor");
  const view = editor && EditorView.findFromDOM(editor);
  if (!view) return;
  view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true });
  view.focus();
}
