// The keys of the editor, in words.

import { Trans, useLingui } from "@lingui/react/macro";

import { Dialog } from "~/components/Dialog";
import { modKey } from "~/shell/keys";

export function Help({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const groups: { title: string; keys: [string, string][] }[] = [
    {
      title: t`Writing`,
      keys: [
        ["/", t`Insert a block`],
        ["Shift Enter", t`Line break`],
        [modKey("K"), t`Link`],
        [modKey("F"), t`Find and replace`],
        [modKey("Z"), t`Undo`],
        [modKey("Y"), t`Redo`],
        [modKey("Shift V"), t`Paste without formatting`],
      ],
    },
    {
      title: t`Formatting`,
      keys: [
        [modKey("B"), t`Bold`],
        [modKey("I"), t`Italic`],
        [modKey("U"), t`Underline`],
        [modKey("Shift X"), t`Strikethrough`],
        [modKey("E"), t`Inline code`],
        [modKey(","), t`Subscript`],
        [modKey("."), t`Superscript`],
        [modKey("\\"), t`Clear formatting`],
      ],
    },
    {
      title: t`Blocks`,
      keys: [
        [modKey("Alt 1–6"), t`Heading`],
        [modKey("Alt 0"), t`Paragraph`],
        [modKey("Shift 7"), t`Numbered list`],
        [modKey("Shift 8"), t`Bulleted list`],
        [modKey("Shift 9"), t`Quote`],
        ["Tab", t`Deeper in a list, or the next cell`],
        ["Alt Shift ↑ ↓", t`Move the block`],
        [modKey("D"), t`Duplicate the block`],
        [modKey("Shift K"), t`Delete the block`],
        [modKey("/"), t`Menu of the block`],
        [modKey("Enter"), t`New paragraph after the block`],
      ],
    },
    {
      title: t`Getting around`,
      keys: [
        ["Alt F10", t`To the toolbar`],
        ["Esc, Tab", t`Leave the editor from a list, table or code block`],
        ["Alt 0", t`These shortcuts`],
      ],
    },
  ];
  return (
    <Dialog open={open} onOpenChange={(open) => !open && onClose()} title={<Trans>Shortcuts of the editor</Trans>} size="lg">
      <div className="grid gap-6 sm:grid-cols-2 sm:gap-8">
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-2 text-sm font-medium text-muted">{title}</h3>
            <dl className="grid gap-1.5">
              {keys.map(([key, name]) => (
                <div key={key} className="flex items-center justify-between gap-4">
                  <dt>{name}</dt>
                  <dd dir="ltr">
                    <kbd className="rounded-sm border border-line bg-sunken px-1.5 py-px font-sans text-xs whitespace-nowrap text-muted">{key}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="mt-5 text-sm text-muted">
        <Trans>Markdown works as you type: “# ” makes a heading, “- ” a list, “**bold**” bold.</Trans>
      </p>
    </Dialog>
  );
}
