// The words of the document: paragraphs, lists and names in backticks. They are English, whatever the language of the application.

import { Fragment, type ReactNode } from "react";

/** A text of several paragraphs. */
export function Prose({ text }: { text: string }) {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim() !== "");
  return (
    <div lang="en" dir="ltr" className="grid max-w-3xl gap-2.5 text-start">
      {blocks.map((block, n) => (
        <Block key={n} text={block} />
      ))}
    </div>
  );
}

const ITEM = /^\s*[-*] /;

function Block({ text }: { text: string }) {
  const lines = text.split("\n");
  if (!lines.some((line) => ITEM.test(line))) return <p>{inline(text)}</p>;
  const first = lines.findIndex((line) => ITEM.test(line));
  // A line that begins no item goes on with the one before.
  const items = lines.slice(first).reduce<string[]>((items, line) => (ITEM.test(line) ? [...items, line.replace(ITEM, "")] : [...items.slice(0, -1), `${items.at(-1) ?? ""} ${line.trim()}`]), []);
  return (
    <>
      {first > 0 && <p>{inline(lines.slice(0, first).join("\n"))}</p>}
      <ul className="list-disc ps-5">
        {items.map((item, n) => (
          <li key={n}>{inline(item)}</li>
        ))}
      </ul>
    </>
  );
}

/** A text within a line. */
export function Line({ text }: { text: string }) {
  return (
    <span lang="en" dir="auto">
      {inline(text)}
    </span>
  );
}

function inline(text: string): ReactNode {
  return text.split(/`([^`]+)`/).map((piece, n) =>
    n % 2 ? (
      <code key={n} dir="ltr" className="rounded-sm bg-sunken px-1 font-mono text-[0.9em] wrap-anywhere">
        {piece}
      </code>
    ) : (
      <Fragment key={n}>{piece}</Fragment>
    ),
  );
}
