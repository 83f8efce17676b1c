// Images and files: brought into the library from here, or named by their address.

import { Trans, useLingui } from "@lingui/react/macro";
import { FileText, ImageOff, Images, Trash2, Upload } from "lucide-react";
import { Suspense, useRef, useState, type ReactNode } from "react";

import { Button } from "~/components/Button";
import { SiteImage } from "~/components/image/SiteImage";
import { UploadQueue } from "~/components/upload/UploadQueue";
import { cx } from "~/lib/cx";
import { useFormat } from "~/lib/format";
import { lazily } from "~/lib/lazily";
import { accepted } from "~/media/picker/allowed";
import { useFileDrop } from "~/media/picker/files";
import { useMediaRights } from "~/media/picker/rights";
import { useUploads } from "~/media/picker/useUploads";
import { fileValue, imageValue, smaller } from "~/media/picker/value";

import { isAddress } from "./address";
import { LINE } from "./control";
import type { ControlProps } from "./shape";

interface Media {
  id: string;
  src?: string;
  url?: string;
  previewUrl?: string;
  filename?: string;
  mimeType?: string;
  alt?: string;
  width?: number;
  height?: number;
  size?: number;
}

function mediaOf(value: unknown): Media | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Media) : undefined;
}

/** Text, whatever another program wrote. */
function told(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const MediaPicker = lazily(() => import("~/media/picker/MediaPicker").then((of) => of.default));

/** What an image field takes where its rules name nothing. */
const PICTURES = ["image/"];
const EVERYTHING: string[] = [];

export function MediaControl(props: ControlProps) {
  return (
    <Taking {...props}>
      <Held {...props} />
    </Taking>
  );
}

/** The place of a field: files that are chosen, dropped or pasted there are brought into the library, and the last one is its value. */
function Taking({ field, onChange, value, readOnly, children }: ControlProps & { children: ReactNode }) {
  const rights = useMediaRights();
  const input = useRef<HTMLInputElement>(null);
  const [isPicking, setPicking] = useState(false);
  const isImage = field.type === "image";
  const named = field.validation.allowedMimeTypes;
  const allowed = named?.length ? named : isImage ? PICTURES : EVERYTHING;
  const { uploads, add, cancel, retry, clear } = useUploads({
    allowed,
    fieldId: field.id,
    onDone: (item) => {
      onChange(isImage ? imageValue({ item, alt: item.alt ?? "" }) : fileValue({ item, alt: "" }));
      clear();
    },
  });
  const take = rights.upload && !readOnly ? (files: File[]) => add(files.slice(0, 1)) : undefined;
  const { place, isOver } = useFileDrop(take);
  return (
    <div {...place} className={cx("grid gap-2 rounded-md", isOver && "outline-2 outline-offset-4 outline-accent")}>
      {children}
      {rights.read && !readOnly && (
        <span>
          <Button size="sm" icon={<Images />} onClick={() => setPicking(true)}>
            <Trans>Choose from the library</Trans>
          </Button>
        </span>
      )}
      {isPicking && (
        <Suspense fallback={null}>
          <MediaPicker
            allowed={allowed}
            fieldId={field.id}
            onClose={() => setPicking(false)}
            onChoose={(chosen) => {
              setPicking(false);
              onChange(isImage ? imageValue(chosen) : fileValue(chosen));
            }}
          />
        </Suspense>
      )}
      {take && (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <input
            ref={input}
            type="file"
            hidden
            accept={accepted(allowed)}
            onChange={({ target }) => {
              take(Array.from(target.files ?? []));
              target.value = "";
            }}
          />
          <Button size="sm" icon={<Upload />} onClick={() => input.current?.click()}>
            {mediaOf(value) ? <Trans>Upload another file</Trans> : <Trans>Upload a file</Trans>}
          </Button>
          <span className="text-sm text-muted">
            <Trans>Or drop or paste one here.</Trans>
          </span>
        </span>
      )}
      {uploads.length > 0 && <UploadQueue uploads={uploads} onCancel={cancel} onRetry={retry} onClear={clear} />}
    </div>
  );
}

function Held(props: ControlProps) {
  const { field, value, onChange, readOnly, id } = props;
  const media = mediaOf(value);
  if (!media) return <Chooser {...props} />;
  const isImage = field.type === "image";
  const address = told(media.previewUrl) || told(media.src) || told(media.url);
  return (
    <div className="grid gap-3 rounded-md border border-line bg-surface p-3 sm:grid-cols-[auto_minmax(0,1fr)]">
      {isImage ? <Preview key={address} address={smaller(address, 320)} /> : <FileText aria-hidden className="size-9 text-muted" />}
      <div className="grid min-w-0 content-start gap-2">
        <Told media={media} address={address} />
        {isImage && (
          <label className="grid gap-1 text-sm">
            <span className="text-muted">
              <Trans>Alternative text: what the image shows, for people who don’t see it</Trans>
            </span>
            <input
              id={id}
              dir="auto"
              className={LINE}
              readOnly={readOnly}
              value={told(media.alt)}
              onChange={(event) => onChange(withAlt(media, event.target.value))}
            />
            {told(media.alt) === "" && (
              <span className="text-warn">
                <Trans>There is none yet: people who don’t see the image learn nothing of it.</Trans>
              </span>
            )}
          </label>
        )}
        {!readOnly && (
          <span>
            <Button size="sm" icon={<Trash2 />} onClick={() => onChange(null)}>
              <Trans>Remove</Trans>
            </Button>
          </span>
        )}
      </div>
    </div>
  );
}

function withAlt(media: Media, alt: string): Media {
  return Object.fromEntries(Object.entries({ ...media, alt }).filter(([name]) => name !== "alt" || alt !== "")) as unknown as Media;
}

function Told({ media, address }: { media: Media; address: string }) {
  const { bytes } = useFormat();
  const name = told(media.filename) || address || told(media.id);
  const facts = [
    told(media.mimeType),
    typeof media.width === "number" && typeof media.height === "number" && `${media.width} × ${media.height}`,
    typeof media.size === "number" && bytes(media.size),
  ].filter(Boolean);
  return (
    <div className="min-w-0">
      <p className="truncate font-medium" dir="auto" title={name}>
        {isAddress(address) ? (
          <a href={address} target="_blank" rel="noopener noreferrer" className="hover:underline">
            {name}
          </a>
        ) : (
          name
        )}
      </p>
      {facts.length > 0 && <p className="text-sm text-muted">{facts.join(" · ")}</p>}
    </div>
  );
}

function Preview({ address }: { address: string }) {
  const [isBroken, setBroken] = useState(address === "");
  if (isBroken) {
    return (
      <span className="grid h-24 w-36 place-items-center rounded-sm border border-line bg-sunken text-muted">
        <ImageOff aria-hidden className="size-6" />
      </span>
    );
  }
  return (
    <span className="grid w-36 items-start">
      <SiteImage src={address} alt="" className="h-24 w-36 rounded-sm border border-line bg-sunken object-contain" onBroken={() => setBroken(true)} />
    </span>
  );
}

/** The address of something on the web. */
function Chooser({ field, id, value, onChange, describedBy, isInvalid, readOnly }: ControlProps) {
  const { t } = useLingui();
  const [text, setText] = useState("");
  const isGood = isAddress(text) && /^https?:/.test(text);
  const take = () => isGood && onChange({ id: "", src: text, filename: decodeURIComponent(new URL(text).pathname.split("/").pop() ?? "") || undefined });
  return (
    <div className="grid gap-1.5">
      <span className="flex gap-2">
        <input
          id={id}
          type="url"
          inputMode="url"
          className={LINE}
          readOnly={readOnly}
          placeholder={field.type === "image" ? t`https:// address of an image` : t`https:// address of a file`}
          aria-label={field.type === "image" ? t`Address of an image` : t`Address of a file`}
          aria-describedby={describedBy}
          aria-invalid={isInvalid || undefined}
          value={text}
          onChange={(event) => setText(event.target.value.trim())}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            take();
          }}
        />
        <Button disabled={!isGood || readOnly} onClick={take}>
          <Trans>Use</Trans>
        </Button>
      </span>
      {value !== undefined && value !== null && (
        <p className="text-sm text-muted">
          <Trans>
            The stored value cannot be read: <code className="font-mono break-all">{JSON.stringify(value).slice(0, 200)}</code>
          </Trans>
        </p>
      )}
    </div>
  );
}
