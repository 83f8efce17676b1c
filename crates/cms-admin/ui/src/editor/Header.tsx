// The head of the editor, which stays in sight: what the entry is called and how it stands, whether it is saved, and what can be done with it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Copy, Ellipsis, ExternalLink, Eye, EyeOff, Link2, Maximize2, Minimize2, PanelRight, Save, Send, Trash2, Undo2 } from "lucide-react";
import { useLayoutEffect, useMemo, useRef, useState } from "react";

import { Badge } from "~/components/Badge";
import { Button, IconButton } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { Menu, MenuItem, MenuSeparator } from "~/components/Menu";
import { toast } from "~/components/toast";
import { STATUSES, statusOf } from "~/content/status";
import { useIsNarrow } from "~/lib/useMedia";
import { useCommands } from "~/shell/commands";
import { modKey } from "~/shell/keys";

import type { Actions } from "./model/actions";
import { useDraft, useItem, useSession } from "./model/context";
import type { Rights } from "./model/rights";
import { ListLink } from "./ListLink";
import { useLanguageName } from "./panel/Translations";
import { Present } from "./Present";
import { SaveState } from "./SaveState";

/** As much of a name as a heading shows, in characters: longer ones are to be read in their field. */
const IN_SIGHT = 300;
const inSight = (name: string) => (name.length > IN_SIGHT ? `${name.slice(0, IN_SIGHT).replace(/[\uD800-\uDBFF]$/, "")}…` : name);

interface HeaderProps {
  name: string;
  actions: Actions;
  rights: Rights;
  isFocused: boolean;
  setFocused: (isFocused: boolean) => void;
  onSave: () => void;
  onPublish: () => void;
  onPanel: () => void;
  onMistakes: () => void;
  onConflict: () => void;
  /** Whether the page on the site is shown beside it. */
  isPreviewing: boolean;
  onPreview: () => void;
  onPreviewTab: () => void;
  onPreviewLinks: () => void;
}

/** How high the bar is with one row, in pixels, as its frame has it until it is told otherwise: to be told has the browser style all fields once more. */
export const ONE_ROW = 53;

export function Header({ name, actions, rights, isFocused, setFocused, onSave, onPublish, onPanel, onMistakes, onConflict, isPreviewing, onPreview, onPreviewTab, onPreviewLinks }: HeaderProps) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const languageName = useLanguageName();
  const session = useSession();
  const item = useItem();
  const hasUnsaved = useDraft(({ unsaved }) => unsaved.length > 0);
  const [asked, setAsked] = useState<"unpublish" | "discard" | "remove">();
  const { collection } = session;
  const status = statusOf(item);
  const isPublic = item?.status === "published";
  const isThere = item !== undefined;
  const hasChanges = hasUnsaved || !isPublic || item.hasDraft === true;
  const slug = collection.slug;
  const isNarrow = useIsNarrow();
  const focusKey = modKey("⇧\\");
  const previewKey = modKey("⇧↵");
  const canPreview = collection.supports.includes("preview");

  const bar = useRef<HTMLDivElement>(null);
  // What stays in sight below the bar has to know how high it is.
  useLayoutEffect(() => {
    const element = bar.current;
    if (!element) return;
    let height = ONE_ROW;
    const observer = new ResizeObserver(() => {
      if (height === element.offsetHeight) return;
      height = element.offsetHeight;
      element.parentElement?.style.setProperty("--editor-bar", `${height}px`);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // From wherever the keyboard is, without the way through all fields.
  const deeds = useRef({ onPublish, onPanel, onSave, onPreview, onPreviewLinks });
  useLayoutEffect(() => {
    deeds.current = { onPublish, onPanel, onSave, onPreview, onPreviewLinks };
  });
  const canPublish = rights.publish && hasChanges;
  const canUnpublish = rights.publish && isPublic;
  const canSave = rights.edit;
  useCommands(
    useMemo(
      () => [
        ...(canPublish ? [{ id: "entry-publish", label: isPublic ? t`Publish changes` : t`Publish`, icon: <Send />, run: () => deeds.current.onPublish() }] : []),
        ...(canUnpublish ? [{ id: "entry-unpublish", label: t`Unpublish`, icon: <EyeOff />, run: () => setAsked("unpublish") }] : []),
        ...(canSave ? [{ id: "entry-save", label: t`Save now`, icon: <Save />, run: () => deeds.current.onSave() }] : []),
        { id: "entry-panel", label: t`About this entry`, words: t`history translations schedule slug`, icon: <PanelRight className="rtl:-scale-x-100" />, run: () => deeds.current.onPanel() },
        ...(canPreview ? [{ id: "entry-preview", label: isPreviewing ? t`Close the preview` : t`Preview`, words: t`page site look`, icon: <Eye />, run: () => deeds.current.onPreview() }] : []),
        ...(canPreview && isThere ? [{ id: "entry-preview-links", label: t`Preview links…`, words: t`share revoke`, icon: <Link2 />, run: () => deeds.current.onPreviewLinks() }] : []),
      ],
      [canPreview, canPublish, canSave, canUnpublish, isPreviewing, isPublic, isThere, t],
    ),
  );

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      toast.bad(error);
    }
  }

  const duplicate = () =>
    attempt(async () => {
      const copy = await actions.duplicate();
      if (!copy) {
        onMistakes();
        return;
      }
      toast.good(t`Duplicated. This is the copy.`);
      await navigate({ to: "/content/$collection/$id", params: { collection: slug, id: copy.id } });
    });

  async function remove() {
    const rev = await actions.remove();
    const back = item && { collection: slug, id: item.id };
    toast.good(t`“${name}” is in the trash`, {
      label: t`Undo`,
      onSelect: () =>
        void attempt(async () => {
          await actions.takeBack(rev);
          if (back) await navigate({ to: "/content/$collection/$id", params: back });
        }),
    });
    await navigate({ href: `/content/${slug}`, ignoreBlocker: true });
  }

  async function unpublish() {
    if (!(await actions.unpublish())) onMistakes();
    else toast.good(t`No longer public`, { label: t`Publish again`, onSelect: onPublish });
  }

  async function discard() {
    const before = item?.draftRevisionId;
    if (!(await actions.discard())) onMistakes();
    else toast.good(t`Changes discarded`, before ? { label: t`Undo`, onSelect: () => void attempt(() => actions.restore(before)) } : undefined);
  }

  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <ListLink collection={slug} className="-ms-1 inline-flex items-center gap-1 rounded-sm px-1 py-0.5 hover:text-ink pointer-coarse:min-h-11">
          <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
          {collection.label}
        </ListLink>
        <Badge tone={STATUSES[status].tone}>{i18n._(STATUSES[status].label)}</Badge>
        {session.locale && <span>{languageName(session.locale)}</span>}
      </div>
      <h1 tabIndex={-1} data-page-heading className="mb-2 text-xl font-semibold break-words">
        <bdi>{inSight(name)}</bdi>
      </h1>
      <div ref={bar} className="sticky top-(--header-height) z-20 -mx-4 mb-6 flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-canvas/90 px-4 py-2 backdrop-blur-md in-data-focused:top-0 sm:-mx-6 sm:px-6">
        <SaveState onMistakes={onMistakes} onConflict={onConflict} />
        <Present />
        <div className="ms-auto flex items-center gap-1.5">
          <IconButton label={isFocused ? t`Leave distraction-free (${focusKey})` : t`Distraction-free (${focusKey})`} icon={isFocused ? <Minimize2 /> : <Maximize2 />} aria-pressed={isFocused} className="max-sm:hidden" onClick={() => setFocused(!isFocused)} />
          <IconButton label={t`About this entry`} aria-haspopup="dialog" icon={<PanelRight className="rtl:-scale-x-100" />} className={isPreviewing ? undefined : "xl:hidden"} onClick={onPanel} />
          {canPreview && (
            <Button icon={<Eye />} aria-pressed={isPreviewing} title={previewKey} className="max-sm:hidden aria-pressed:bg-active" onClick={onPreview}>
              <Trans>Preview</Trans>
            </Button>
          )}
          {rights.publish && (
            // What was published has nothing to publish: the button stays, so that a second click meets nothing else, and the keyboard keeps its place.
            <Button variant={hasChanges ? "primary" : "secondary"} aria-label={isPublic ? t`Publish changes` : undefined} aria-disabled={!hasChanges || undefined} title={hasChanges ? undefined : t`Everything here is published.`} onClick={() => hasChanges && onPublish()}>
              {isPublic && !isNarrow ? <Trans>Publish changes</Trans> : <Trans>Publish</Trans>}
            </Button>
          )}
          <Menu trigger={<IconButton label={t`More`} icon={<Ellipsis />} />}>
            {rights.edit && (
              <MenuItem icon={<Save />} onSelect={onSave}>
                <span className="flex justify-between gap-6">
                  <Trans>Save now</Trans>
                  <kbd className="text-muted">{modKey("S")}</kbd>
                </span>
              </MenuItem>
            )}
            {canPreview && (
              <MenuItem icon={<Eye />} onSelect={onPreview}>
                <span className="flex grow justify-between gap-6">
                  {isPreviewing ? <Trans>Close the preview</Trans> : <Trans>Preview</Trans>}
                  <kbd className="text-muted">{previewKey}</kbd>
                </span>
              </MenuItem>
            )}
            {canPreview && item && (
              <>
                <MenuItem icon={<ExternalLink />} onSelect={onPreviewTab}>
                  <Trans>Preview in a new tab</Trans>
                </MenuItem>
                <MenuItem icon={<Link2 />} onSelect={onPreviewLinks}>
                  <Trans>Preview links…</Trans>
                </MenuItem>
              </>
            )}
            {rights.duplicate && (
              <MenuItem icon={<Copy />} onSelect={() => void duplicate()}>
                <Trans>Duplicate</Trans>
              </MenuItem>
            )}
            {isPublic && item.hasDraft === true && rights.edit && (
              <MenuItem icon={<Undo2 />} onSelect={() => setAsked("discard")}>
                <Trans>Discard changes</Trans>
              </MenuItem>
            )}
            {isPublic && rights.publish && (
              <MenuItem icon={<EyeOff />} onSelect={() => setAsked("unpublish")}>
                <Trans>Unpublish</Trans>
              </MenuItem>
            )}
            {rights.remove && (
              <>
                <MenuSeparator />
                <MenuItem icon={<Trash2 />} danger onSelect={() => setAsked("remove")}>
                  <Trans>Move to trash</Trans>
                </MenuItem>
              </>
            )}
          </Menu>
        </div>
      </div>
      <ConfirmDialog
        open={asked === "unpublish"}
        onOpenChange={() => setAsked(undefined)}
        title={<Trans>Take “{name}” off the site?</Trans>}
        description={<Trans>It stays here as a draft, and can be published again. Links to it will stop working.</Trans>}
        confirm={<Trans>Unpublish</Trans>}
        onConfirm={unpublish}
      />
      <ConfirmDialog
        open={asked === "discard"}
        onOpenChange={() => setAsked(undefined)}
        danger
        title={<Trans>Discard the changes since it was published?</Trans>}
        description={<Trans>The entry goes back to what is public now.</Trans>}
        confirm={<Trans>Discard changes</Trans>}
        onConfirm={discard}
      />
      <ConfirmDialog
        open={asked === "remove"}
        onOpenChange={() => setAsked(undefined)}
        danger
        title={<Trans>Move “{name}” to the trash?</Trans>}
        description={isPublic ? <Trans>It will no longer be public. You can restore it from the trash.</Trans> : <Trans>You can restore it from the trash.</Trans>}
        confirm={<Trans>Move to trash</Trans>}
        onConfirm={remove}
      />
    </>
  );
}
