// A file in small: a picture in its own colour until it is there, or the sign of its kind.

import { AudioLines, FileText, Film, ImageOff } from "lucide-react";
import { useState } from "react";

import type { MediaItem } from "~/api/types";
import { cx } from "~/lib/cx";

import { versionOf } from "../address";
import { CENTRE } from "../focal";
import { kindOf, type Kind } from "../question";

const SIGNS: Record<Exclude<Kind, "image">, typeof FileText> = { video: Film, audio: AudioLines, document: FileText };

/** `width` is how wide the picture is asked for, in pixels. It is cropped around its focal point. */
export function Thumb({ item, width, className }: { item: MediaItem; width: number; className?: string }) {
  const [broken, setBroken] = useState<string>();
  const kind = kindOf(item.mimeType);
  const isPicture = kind === "image" && broken !== item.url;
  const Sign = kind === "image" ? ImageOff : SIGNS[kind];
  const { x, y } = item.focalPoint ?? CENTRE;
  return (
    <span
      aria-hidden
      style={isPicture && item.dominantColor ? { backgroundColor: item.dominantColor } : undefined}
      className={cx("grid place-items-center overflow-hidden bg-sunken text-muted", className)}
    >
      {isPicture ? (
        <img
          src={versionOf(item, width)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(item.url)}
          style={{ objectPosition: `${x * 100}% ${y * 100}%` }}
          className="size-full object-cover"
        />
      ) : (
        <Sign className="size-1/3 max-h-12 min-h-4 max-w-12 min-w-4" />
      )}
    </span>
  );
}
