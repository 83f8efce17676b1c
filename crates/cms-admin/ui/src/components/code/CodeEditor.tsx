// The editor of a code field. It lives in a shadow root: there CodeMirror adopts its style sheets, and elsewhere it would write them into the page,
// which the page's policy forbids.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { css } from "@codemirror/lang-css";
import { html } from "@codemirror/lang-html";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { linter, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder as placeholderText } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";

import type { CodeProps } from "../CodeField";
import { inexactIn, mistakeIn } from "./mistake";
import { colours, look } from "./theme";

type CodeEditorProps = CodeProps & { id: string; isInvalid: boolean; description: string | undefined };

/** Tab indents. Escape, then Tab leaves the editor: CodeMirror's own way out. */
const tabs = keymap.of([indentWithTab]);

/** Underlines where it ceases to be JSON, and the number that would not stay what it is where the text is read. */
const mistakes = (verbatim: boolean) => ({ state }: EditorView): Diagnostic[] => {
  const text = state.doc.toString();
  const mistake = text.trim() === "" ? undefined : mistakeIn(text);
  const inexact = mistake || verbatim ? undefined : inexactIn(text);
  if (inexact) return [{ from: inexact.at, to: inexact.at + inexact.literal.length, severity: "error", message: `${inexact.literal} is read as ${Number(inexact.literal)}` }];
  if (!mistake) return [];
  const to = Math.min(mistake.at + 1, text.length);
  return [{ from: Math.min(mistake.at, to - 1), to, severity: "error", message: mistake.message }];
};

const LANGUAGES: Record<string, (verbatim: boolean) => Extension> = {
  // It indents by itself, and stands in forms, in which Tab goes on.
  json: (verbatim) => [json(), linter(mistakes(verbatim), { delay: 300 })],
  css: () => [css(), tabs],
  html: () => [html(), tabs],
  javascript: () => [javascript(), tabs],
  typescript: () => [javascript({ typescript: true }), tabs],
};

export default function CodeEditor({ id, value, onChange, language, readOnly = false, placeholder = "", verbatim = false, label, isInvalid, description }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useEffectEvent((text: string) => onChange(text));
  const first = useEffectEvent(() => value);
  const options = useRef<Compartment>(undefined);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open", delegatesFocus: true });
    const settings = new Compartment();
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: first(),
        extensions: [
          lineNumbers(),
          history(),
          indentOnInput(),
          bracketMatching(),
          EditorView.lineWrapping,
          syntaxHighlighting(colours),
          look,
          keymap.of([...defaultKeymap, ...historyKeymap]),
          settings.of([]),
          EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
        ],
      }),
    });
    view.current = editor;
    options.current = settings;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    view.current?.dispatch({
      effects: options.current?.reconfigure([
        LANGUAGES[language]?.(verbatim) ?? [],
        EditorState.readOnly.of(readOnly),
        placeholderText(placeholder),
        // What describes the field is outside of the shadow root, where no id of it can be named: the words themselves are given.
        EditorView.contentAttributes.of({
          "aria-label": label,
          // It takes the focus by itself; said in so many words, tools know that what scrolls here can be reached by keys.
          tabindex: "0",
          "aria-invalid": String(isInvalid),
          ...(description ? { "aria-description": description } : {}),
        }),
      ]),
    });
  }, [language, readOnly, placeholder, verbatim, label, isInvalid, description]);

  useEffect(() => {
    const editor = view.current;
    // What comes from elsewhere replaces the text; what was typed here came from it.
    if (editor && editor.state.doc.toString() !== value) editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={host} id={id} data-code dir="ltr" className="block min-h-24" />;
}
