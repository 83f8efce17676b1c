// An image by its address. One that is on another site is not sent for before somebody asks for it: who runs that site would learn who reads what, and when.

import { Trans } from "@lingui/react/macro";
import { ImageDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { Button } from "~/components/Button";

import { ask, useIsAskedFor, foreignOrigin } from "./origins";

interface SiteImageProps {
  src: string;
  alt: string;
  className: string;
  onBroken?: () => void;
}

export function SiteImage({ src, alt, className, onBroken }: SiteImageProps) {
  const origin = foreignOrigin(src);
  const isAskedFor = useIsAskedFor();
  const [isAskedHere, setAskedHere] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  // The button that had the keyboard goes with the question.
  useEffect(() => {
    if (isAskedHere) image.current?.focus({ preventScroll: true });
  }, [isAskedHere]);
  if (origin && !isAskedFor(origin)) return <AskForImages origin={origin} onAsk={() => setAskedHere(true)} />;
  return <img ref={image} src={src} alt={alt} tabIndex={-1} loading="lazy" referrerPolicy="no-referrer" draggable={false} onError={onBroken} className={className} />;
}

/** Asks for the images of another site. */
export function AskForImages({ origin, isSeveral, onAsk }: { origin: string; isSeveral?: boolean; onAsk?: () => void }) {
  const { host } = new URL(origin);
  return (
    <Button
      size="sm"
      icon={<ImageDown className="shrink-0" />}
      className="h-auto min-h-8 max-w-full shrink py-1 text-start wrap-anywhere whitespace-normal"
      onClick={() => {
        onAsk?.();
        ask(origin);
      }}
    >
      {isSeveral ? <Trans>Show images from {host}</Trans> : <Trans>Show image from {host}</Trans>}
    </Button>
  );
}
