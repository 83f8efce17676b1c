// One file: how it looks, what is said of it, where it is used, and what can be done with it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, RefreshCw, Trash2 } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { isCode } from "~/api/errors";
import type { MediaItem } from "~/api/types";
import { Button, ButtonAnchor } from "~/components/Button";
import { Fact, Facts } from "~/components/Card";
import { CopyField } from "~/components/CopyField";
import { SelectField, TextArea, TextField } from "~/components/Field";
import { Notice } from "~/components/Notice";
import { SidePanel } from "~/components/panel/SidePanel";
import { EmptyState, ErrorState, SkeletonRows } from "~/components/states";
import { toast } from "~/components/toast";
import { useLocales } from "~/content/site";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { useFormat } from "~/lib/format";
import { PersonName } from "~/people/PersonName";
import { useCan, useMe } from "~/session/session";

import { fullAddress } from "../address";
import { change, folders as foldersQuery, freshItem, mediaChanged, mediaItem } from "../queries";
import { kindOf } from "../question";
import { useMay } from "../may";
import { FocalPicture } from "./FocalPicture";
import { DeleteFile, ReplaceFile } from "./FileDialogs";
import { TagField } from "./TagField";
import { lacksAlt } from "./Tile";
import { Usage } from "./Usage";
import { changesOf, mergedOf, valuesOf, type Values } from "./values";

/** How wide the panel is at first and at most, in rem. */
const WIDTH = { usual: 27, most: 48 };
/** How often a change is put together with what others did meanwhile. */
const TRIES = 3;

interface DetailProps {
  id: string;
  /** Back to the library; `isGone` where there is nothing left to ask about. */
  onClose: (isGone?: boolean) => void;
}

export function Detail({ id, onClose }: DetailProps) {
  const { t } = useLingui();
  const query = useQuery(mediaItem(id));
  const locales = useLocales();
  const may = useMay();
  const isGone = isCode(query.error, "NOT_FOUND", "VALIDATION_ERROR");
  const title = !isGone && query.data ? query.data.filename : t`File`;
  return (
    <SidePanel open onOpenChange={(open) => !open && onClose()} title={title} widthKey="media" usualWidth={WIDTH.usual} mostWidth={WIDTH.most} whole>
      {isGone ? (
        <EmptyState title={<Trans>There is no such file</Trans>}>
          <Trans>It may have been deleted.</Trans>
        </EmptyState>
      ) : query.data && (locales.length > 0 || !may.edit(query.data)) ? (
        // Who may only look may not be told the languages of the site, and needs them for nothing.
        <Described key={id} item={query.data} locales={locales} onClose={onClose} />
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonRows />
      )}
    </SidePanel>
  );
}

function Described({ item, locales, onClose }: { item: MediaItem; locales: readonly string[]; onClose: DetailProps["onClose"] }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const may = useMay();
  const folders = useQuery(foldersQuery).data ?? [];
  const [first = "", ...others] = locales;
  const [disputed, setDisputed] = useState<string[]>([]);
  const [asked, setAsked] = useState<"replace" | "delete">();
  const frame = useRef<HTMLDivElement>(null);
  // The same values as long as the item is the same: the form follows what is new in them.
  const [given, setGiven] = useState(() => ({ item, locales, values: valuesOf(item, others) }));
  if (given.item !== item || given.locales !== locales) setGiven({ item, locales, values: valuesOf(item, others) });
  const readOnly = !may.edit(item);
  const kind = kindOf(item.mimeType);

  const form = useForm<Values>({
    values: given.values,
    explain: (error) => (isCode(error, "CONFLICT") ? t`Somebody else changed the same meanwhile. What you typed is still here: save again to put it in the place of theirs.` : undefined),
    submit: async (typed) => {
      setDisputed([]);
      let [base, seen, mine] = [given.values, item, typed];
      for (let tries = 1; ; tries++) {
        try {
          const saved = await change(item.id, { ...changesOf(valuesOf(seen, others), mine), _rev: seen._rev });
          queries.setQueryData(mediaItem(item.id).queryKey, { ...saved, usage: saved.usage ?? seen.usage ?? null });
          break;
        } catch (error) {
          if (!isCode(error, "CONFLICT")) throw error;
          const now = await freshItem(item.id);
          // The form takes what nobody touched here from it, and keeps the rest.
          queries.setQueryData(mediaItem(item.id).queryKey, now);
          const merged = mergedOf(base, mine, valuesOf(now, others));
          if (merged.disputed.length > 0 || tries === TRIES) {
            setDisputed(merged.disputed);
            throw error;
          }
          [base, seen, mine] = [valuesOf(now, others), now, merged.values];
        }
      }
      void mediaChanged(queries);
      toast.good(<Trans>Saved.</Trans>);
    },
  });

  // The key that saves everywhere else.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s" || document.querySelector("[role=alertdialog]")) return;
      event.preventDefault();
      if (form.isDirty) frame.current?.querySelector("form")?.requestSubmit();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [form.isDirty]);

  const theirs = disputed.length > 0 && <Theirs item={item} paths={disputed} folders={folders} />;
  const describes = (locale: string, alt: "alt" | `translations.${string}.alt`, caption: "caption" | `translations.${string}.caption`, isFirst: boolean) => {
    const suffix = locales.length > 1 ? ` (${locale})` : "";
    return (
      <>
        {kind === "image" && (
          <TextArea
            label={<span><Trans>Alternative text</Trans>{suffix}</span>}
            hint={isFirst ? <Trans>What the picture shows, for people who don’t see it.</Trans> : undefined}
            rows={2}
            required={false}
            maxLength={2000}
            lang={locale}
            readOnly={readOnly}
            {...form.field(alt)}
          />
        )}
        <TextArea label={<span><Trans>Caption</Trans>{suffix}</span>} rows={2} required={false} maxLength={4000} lang={locale} readOnly={readOnly} {...form.field(caption)} />
      </>
    );
  };

  return (
    <div ref={frame} className="grid gap-6 p-4">
      <Preview item={item} focal={<FocalPicture item={item} value={form.values.focalPoint} onChange={(point) => form.set("focalPoint", point)} readOnly={readOnly} />} />
      <Form form={form} guarded className="gap-4">
        {theirs}
        {lacksAlt(item) && !readOnly && form.values.alt.trim() === "" && (
          <Notice tone="warn" title={<Trans>No alternative text</Trans>}>
            <Trans>People who don’t see this picture learn nothing of it.</Trans>
          </Notice>
        )}
        {describes(first, "alt", "caption", true)}
        {others.map((locale) => (
          <div key={locale} className="grid gap-4">
            {describes(locale, `translations.${locale}.alt`, `translations.${locale}.caption`, false)}
          </div>
        ))}
        <TextField label={<Trans>Name</Trans>} maxLength={255} autoComplete="off" readOnly={readOnly} {...form.field("filename")} />
        <SelectField label={<Trans>Folder</Trans>} disabled={readOnly} {...form.field("folderId")}>
          <option value="">{t`In no folder`}</option>
          {folders.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TagField label={<Trans>Tags</Trans>} value={form.values.tags} error={form.error("tags")} disabled={readOnly} onChange={(tags) => form.set("tags", tags)} />
        {!readOnly && (
          <div className="sticky bottom-0 -mx-4 border-t border-line bg-surface px-4 py-3">
            <Button type="submit" variant="primary" wide pending={form.isSending} disabled={!form.isDirty}>
              <Trans>Save changes</Trans>
            </Button>
          </div>
        )}
      </Form>
      <About item={item} />
      {may.seeUsage && (
        <Part title={<Trans>Where it is used</Trans>}>
          <Usage id={item.id} />
        </Part>
      )}
      <CopyField label={t`Address`} value={fullAddress(item)} />
      <div className="flex flex-wrap gap-2">
        <ButtonAnchor href={item.url} download={item.filename} icon={<Download />}>
          <Trans>Download</Trans>
        </ButtonAnchor>
        {!readOnly && (
          <Button icon={<RefreshCw />} onClick={() => setAsked("replace")}>
            <Trans>Replace file…</Trans>
          </Button>
        )}
        {may.remove(item) && (
          <Button icon={<Trash2 />} className="text-bad" onClick={() => setAsked("delete")}>
            <Trans>Delete…</Trans>
          </Button>
        )}
      </div>
      {asked === "replace" && <ReplaceFile item={item} onClose={() => setAsked(undefined)} />}
      {asked === "delete" && <DeleteFile item={item} onClose={() => setAsked(undefined)} onDeleted={() => onClose(true)} />}
    </div>
  );
}

function Preview({ item, focal }: { item: MediaItem; focal: ReactNode }) {
  const kind = kindOf(item.mimeType);
  if (kind === "image") return focal;
  if (kind === "video") return <video src={item.url} controls preload="metadata" className="max-h-80 w-full rounded-md border border-line bg-sunken" />;
  if (kind === "audio") return <audio src={item.url} controls preload="metadata" className="w-full" />;
  return (
    <div>
      <ButtonAnchor href={item.url} target="_blank" rel="noopener">
        {item.mimeType === "application/pdf" ? <Trans>Open the PDF</Trans> : <Trans>Open the file</Trans>}
      </ButtonAnchor>
    </div>
  );
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function About({ item: { mimeType, size, width, height, createdAt, authorId } }: { item: MediaItem }) {
  const { bytes, dateTime } = useFormat();
  const can = useCan();
  const me = useMe();
  return (
    <Facts>
      <Fact name={<Trans>Type</Trans>}>
        <bdi dir="ltr">{mimeType}</bdi>
      </Fact>
      <Fact name={<Trans>Size</Trans>}>{bytes(size)}</Fact>
      {width && height ? (
        <Fact name={<Trans>Dimensions</Trans>}>
          <bdi dir="ltr">{`${width} × ${height}`}</bdi>
        </Fact>
      ) : null}
      <Fact name={<Trans>Uploaded</Trans>}>{dateTime(createdAt)}</Fact>
      {/* Who others are is not everybody's to know. */}
      {authorId && (authorId === me.id || can("users:read")) && (
        <Fact name={<Trans>Uploaded by</Trans>}>
          <PersonName id={authorId} />
        </Fact>
      )}
    </Facts>
  );
}

/** What somebody else made of what was changed here, too. */
function Theirs({ item, paths, folders }: { item: MediaItem; paths: string[]; folders: readonly { id: string; name: string }[] }) {
  const { t } = useLingui();
  const { list, percent } = useFormat();
  const { focalPoint } = item;
  const words = (path: string): { name: string; value: string } => {
    const [root, locale = "", name] = path.split(".");
    if (root === "translations") return { name: name === "alt" ? t`Alternative text (${locale})` : t`Caption (${locale})`, value: item.translations[locale]?.[name === "alt" ? "alt" : "caption"] ?? "–" };
    switch (path) {
      case "filename":
        return { name: t`Name`, value: item.filename };
      case "alt":
        return { name: t`Alternative text`, value: item.alt ?? "–" };
      case "caption":
        return { name: t`Caption`, value: item.caption ?? "–" };
      case "folderId":
        return { name: t`Folder`, value: folders.find(({ id }) => id === item.folderId)?.name ?? t`In no folder` };
      case "tags":
        return { name: t`Tags`, value: list(item.tags) || "–" };
      default:
        return { name: t`Focal point`, value: focalPoint ? `${percent(focalPoint.x)} · ${percent(focalPoint.y)}` : "–" };
    }
  };
  return (
    <Notice tone="warn" title={<Trans>What they made of it</Trans>}>
      <dl className="grid gap-1.5">
        {paths.map((path) => {
          const { name, value } = words(path);
          return (
            <div key={path}>
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="wrap-anywhere">
                <bdi>{value}</bdi>
              </dd>
            </div>
          );
        })}
      </dl>
    </Notice>
  );
}
