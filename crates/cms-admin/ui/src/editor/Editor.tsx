// The editor of an open entry: its fields, what is true of them, and beside them everything about the entry as a whole.

import { useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { type CSSProperties, Suspense, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";

import { PanelSheet } from "./panel/PanelSheet";
import { Panel } from "./panel/Panel";
import { ApiError } from "~/api/errors";
import { Title } from "~/components/Title";
import { titleField, titleIn } from "~/content/titleField";
import { addTexts } from "~/lib/language";
import { lazily } from "~/lib/lazily";
import { useDropGuard } from "~/media/picker/files";
import { isMod } from "~/shell/keys";

import { Banners } from "./Banners";
import { Beside } from "./Beside";
import { ConflictDialog } from "./ConflictDialog";
import { lookOf } from "./fields/shape";
import { Form } from "./Form";
import { Header, ONE_ROW } from "./Header";
import { LeaveGuard } from "./LeaveGuard";
import { jumpTo, Mistakes } from "./Mistakes";
import { actionsOf } from "./model/actions";
import { useCell } from "./model/cell";
import { nameIn, useDraft, useItem, useSession } from "./model/context";
import { NONE, useRights, whileHeld } from "./model/rights";
import { useLock } from "./model/useLock";
import { useWatch } from "./model/useWatch";
import { PublishDialog } from "./PublishDialog";
import { useOpenPreview } from "./useOpenPreview";

const PreviewPane = lazily(() => Promise.all([import("~/preview/PreviewPane"), addTexts("preview")]).then(([of]) => of.default));
const LinksDialog = lazily(() => Promise.all([import("~/preview/LinksDialog"), addTexts("preview")]).then(([of]) => of.default));

interface EditorProps {
  field: string | undefined;
  tab: string | undefined;
  beside: string | undefined;
  preview: string | undefined;
}

export function Editor({ field, tab = "", beside, preview }: EditorProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const session = useSession();
  const item = useItem();
  const isGone = useCell(session.gone) !== undefined;
  const mine = useRights();
  const own = isGone ? NONE : mine;
  const lock = useLock(session, own.edit, item?.id);
  const rights = lock.holder ? whileHeld(own) : own;
  const actions = useMemo(() => actionsOf(session), [session]);
  const title = useDraft(({ values }) => titleIn(session.collection, values) ?? "");
  const standing = useDraft(({ standing }) => standing);
  const hasUnsaved = useDraft(({ unsaved }) => unsaved.length > 0);
  const [open, setOpen] = useState<"publish" | "conflict" | "panel" | "links">();
  const [isFocused, setFocused] = useState(false);
  const mistakes = useRef<HTMLDivElement>(null);
  const aside = useRef<HTMLElement>(null);
  useWatch(session, item?.id);
  useDropGuard();

  // Whoever may change it again goes on where they were refused.
  useEffect(() => {
    const { problem } = session.state();
    if (own.edit && problem instanceof ApiError && problem.status === 403) session.draft.retry();
  }, [own.edit, session]);

  const kind = session.collection.labelSingular ?? session.collection.label;
  const name = title || (item ? t`Untitled` : t`New: ${kind}`);
  const readOnly = !own.edit || (lock.holder !== undefined && !hasUnsaved);

  const setTab = useCallback((next: string) => void navigate({ to: ".", search: (search) => ({ ...search, tab: next || undefined }), replace: true, ignoreBlocker: true }), [navigate]);

  const isPreviewing = preview !== undefined && session.collection.supports.includes("preview");
  const togglePreview = () => void navigate({ to: ".", search: (search) => ({ ...search, preview: isPreviewing ? undefined : "on" }), replace: true, resetScroll: false, ignoreBlocker: true });

  const jump = useCallback(
    (path: string) => {
      setOpen(undefined);
      const found = session.fields.find(({ slug }) => slug === nameIn(path));
      const at = found ? (lookOf(found).tab ?? "") : undefined;
      if (at === undefined) setOpen((open) => (isPreviewing || matchMedia("(width < 80rem)").matches ? "panel" : open));
      else setTab(at);
      // After the next paint what is jumped to is there.
      requestAnimationFrame(() => requestAnimationFrame(() => jumpTo(path)));
    },
    [isPreviewing, session, setTab],
  );

  /** Says what must be done first. */
  const refused = useCallback(() => {
    const { standing } = session.state();
    if (standing === "conflict") setOpen("conflict");
    else {
      setOpen(undefined);
      requestAnimationFrame(() => mistakes.current?.focus());
    }
  }, [session]);

  const save = useCallback(async () => {
    if (!(await session.save())) refused();
  }, [session, refused]);

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || !isMod(event) || event.altKey) return;
    if (event.key.toLowerCase() === "s" && !event.shiftKey) {
      event.preventDefault();
      void save();
    } else if (event.code === "Backslash" && event.shiftKey) {
      event.preventDefault();
      setFocused((isFocused) => !isFocused);
    } else if (event.key === "Enter" && event.shiftKey && session.collection.supports.includes("preview")) {
      event.preventDefault();
      // Whoever answers a question answers it first.
      if (!document.querySelector("[data-modal]")) togglePreview();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);

  // Whoever came for a field stands in it, and whoever came to write a new entry, where it begins. All others stand at the heading, unless they went on meanwhile.
  const first = session.isNew ? (titleField(session.collection) ?? session.fields[0])?.slug : undefined;
  const begin = useEffectEvent(() => {
    if (document.activeElement && document.activeElement !== document.body) return;
    if (first) jumpTo(first);
    else document.querySelector<HTMLElement>("[data-page-heading]")?.focus({ preventScroll: true });
  });
  useEffect(() => {
    const frame = requestAnimationFrame(() => (field ? jumpTo(field) : begin()));
    return () => cancelAnimationFrame(frame);
  }, [field]);

  // Where it stands beside the fields the keyboard goes there, once what it was asked for with is gone.
  const showPanel = () => {
    if (aside.current?.offsetParent) requestAnimationFrame(() => requestAnimationFrame(() => aside.current?.querySelector("button")?.focus()));
    else setOpen("panel");
  };

  const openPreview = useOpenPreview(actions, refused);
  const hasAside = !isFocused && !isPreviewing;
  const panel = <Panel {...{ actions, rights, readOnly }} onRefused={refused} onRestored={() => setOpen(undefined)} />;
  return (
    <div
      data-wide
      data-whole={isPreviewing || undefined}
      data-focused={isFocused || undefined}
      style={{ "--editor-bar": `${ONE_ROW}px` } as CSSProperties}
      className="[--rt-top:calc(var(--header-height)+var(--editor-bar))] data-focused:fixed data-focused:inset-0 data-focused:z-40 data-focused:overflow-y-auto data-focused:bg-canvas data-focused:px-4 data-focused:[--rt-top:var(--editor-bar)] data-focused:pb-16 data-focused:[--header-height:0px] sm:data-focused:px-6 data-whole:flex data-whole:items-start data-whole:not-data-focused:-my-7 data-whole:not-data-focused:-me-4 sm:data-whole:not-data-focused:-my-8 sm:data-whole:not-data-focused:-me-6 data-whole:data-focused:pe-0! data-whole:data-focused:pb-0!"
    >
      <Title>{name}</Title>
      <div className="min-w-0 grow in-data-whole:py-7 in-data-whole:pe-4 sm:in-data-whole:py-8 sm:in-data-whole:pe-6">
        <Header
          {...{ name, actions, rights, isFocused, setFocused, isPreviewing }}
          onSave={() => void save()}
          onPublish={() => setOpen("publish")}
          onPanel={showPanel}
          onMistakes={refused}
          onConflict={() => setOpen("conflict")}
          onPreview={togglePreview}
          onPreviewTab={openPreview}
          onPreviewLinks={() => setOpen("links")}
        />
        <div className={hasAside ? "grid items-start gap-8 xl:grid-cols-[minmax(0,1fr)_20rem]" : "mx-auto max-w-3xl"}>
          <div className="mx-auto grid w-full min-w-0 max-w-3xl gap-6">
            <Banners lock={lock} isGone={isGone} mayEdit={own.edit} onConflict={() => setOpen("conflict")} />
            <Mistakes ref={mistakes} onJump={jump} />
            {beside ? <Beside id={beside} readOnly={readOnly} /> : <Form tab={tab} onTab={setTab} readOnly={readOnly} />}
          </div>
          {hasAside && <aside ref={aside} aria-label={t`About this entry`} className="sticky top-[calc(var(--header-height)+4.5rem)] hidden max-h-[calc(100dvh-var(--header-height)-6rem)] overflow-y-auto rounded-lg border border-line bg-surface shadow-low xl:block">{panel}</aside>}
        </div>
      </div>
      {isPreviewing && (
        <Suspense fallback={null}>
          <PreviewPane onClose={togglePreview} onOpenTab={openPreview} onLinks={() => setOpen("links")} />
        </Suspense>
      )}
      <PanelSheet isOpen={open === "panel"} onClose={() => setOpen(undefined)}>
        {panel}
      </PanelSheet>
      {open === "publish" && <PublishDialog actions={actions} onClose={() => setOpen(undefined)} onJump={jump} onConflict={() => setOpen("conflict")} />}
      {open === "links" && (
        <Suspense fallback={null}>
          <LinksDialog mayRevokeAll={own.edit} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
      <ConflictDialog isOpen={open === "conflict"} onClose={() => setOpen(undefined)} />
      <LeaveGuard standing={standing} hasUnsaved={hasUnsaved} />
    </div>
  );
}
