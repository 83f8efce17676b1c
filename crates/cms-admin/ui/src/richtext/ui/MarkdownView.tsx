// The text as Markdown, to be edited as such. What Markdown cannot say stays where nobody touches it; where it would be lost, that is said first.

import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useEffect, useRef, useState } from "react";

import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";

import type { Followed } from "../controller";
import type { Edit, Source } from "../markdown";
import { useEditor } from "./context";

export function MarkdownView({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const controller = useEditor();
  const [source, setSource] = useState<Source | null>(null);
  const [text, setText] = useState("");
  const [edit, setEdit] = useState<Edit | null>(null);
  const followed = useRef<Followed>(null);
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    let isHere = true;
    void import("../markdown").then(
      ({ toMarkdown }) => {
        if (!isHere) return;
        followed.current = controller.follow();
        const made = toMarkdown(controller.value);
        setSource(made);
        setText(made.markdown);
      },
      () => isHere && setHasFailed(true),
    );
    return () => {
      isHere = false;
      if (followed.current) controller.unfollow(followed.current);
    };
  }, [controller]);

  const put = ({ blocks }: Edit) => {
    if (followed.current) controller.replace(followed.current, blocks);
    onClose();
    controller.view.focus();
  };
  const apply = async () => {
    if (!source) return;
    if (text === source.markdown) {
      onClose();
      return;
    }
    const { applyMarkdown } = await import("../markdown");
    const made = applyMarkdown(source, text);
    if (made.losses.length > 0) setEdit(made);
    else put(made);
  };
  const losses = edit?.losses.length ?? 0;
  return (
    <div className="grid gap-3 p-3">
      {hasFailed && <Notice tone="bad">{t`The Markdown view could not be loaded. Try again when you are online.`}</Notice>}
      <textarea
        aria-label={t`Markdown`}
        dir="auto"
        spellCheck
        value={text}
        readOnly={!source || controller.isReadOnly}
        rows={Math.min(Math.max(text.split("\n").length + 1, 10), 30)}
        onChange={(event) => {
          setText(event.target.value);
          setEdit(null);
        }}
        className="control-text w-full rounded-md border border-line-strong bg-surface p-3 font-mono text-sm"
      />
      {edit && (
        <Notice
          tone="warn"
          title={plural(losses, { one: "# block loses something", other: "# blocks lose something" })}
          action={
            <>
              <Button size="sm" variant="danger" onClick={() => put(edit)}>
                <Trans>Apply anyway</Trans>
              </Button>
              <Button size="sm" onClick={() => setEdit(null)}>
                <Trans>Keep editing</Trans>
              </Button>
            </>
          }
        >
          <Trans>You changed text with formatting that Markdown cannot express, such as underline or alignment. Applying removes that formatting there; everything you did not touch stays as it is.</Trans>
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          onClick={() => {
            onClose();
            controller.view.focus();
          }}
        >
          <Trans>Cancel</Trans>
        </Button>
        <Button variant="primary" disabled={!source || controller.isReadOnly} onClick={() => void apply()}>
          <Trans>Apply</Trans>
        </Button>
      </div>
    </div>
  );
}
