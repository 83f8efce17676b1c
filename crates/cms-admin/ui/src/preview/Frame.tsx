// The page of the entry on the site, in a frame: drawn as wide as a device, made smaller where there is less room, and told what is written.

import { useLingui } from "@lingui/react/macro";
import { useEffect, useLayoutEffect, useRef, useState } from "react";

import { useSession } from "~/editor/model/context";

import { Connection, type Standing } from "./connection";
import { fit, type Device } from "./device";
import { entryOf } from "./entry";
import { keepFocus } from "./focus";

/** What the page may do: be itself, and open other pages by themselves. It does not lead this application elsewhere. */
const SANDBOX = "allow-same-origin allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads";

interface FrameProps {
  url: string;
  origin: string;
  device: Device;
  onStanding: (standing: Standing) => void;
  onScale: (scale: number) => void;
}

/** Draw it anew, with another key, to load the page anew: the history of the browser has no step for that. */
export function Frame({ url, origin, device, onStanding, onScale }: FrameProps) {
  const { t } = useLingui();
  const session = useSession();
  const frame = useRef<HTMLIFrameElement>(null);
  const room = useRef<HTMLDivElement>(null);
  const connection = useRef<Connection>(undefined);
  const [size, setSize] = useState({ width: 0, height: 0 });

  useLayoutEffect(() => {
    const element = room.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Before anything can be loaded: what the page says first is heard.
  useLayoutEffect(() => {
    const look = () => {
      const item = session.item.get();
      const { values, unsaved } = session.state();
      return item && { entry: entryOf(item, values, session.collection, session.fields), saved: unsaved.length === 0 };
    };
    const current = new Connection({ origin, frame: () => frame.current?.contentWindow, look, onStanding });
    connection.current = current;
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener("message", (event) => current.hear(event), { signal });
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => effectiveDirective === "frame-src" && current.refused(), { signal });
    const leave = [session.subscribe(current.changed), session.item.subscribe(current.changed)];
    return () => {
      controller.abort();
      leave.forEach((leave) => leave());
      current.close();
    };
  }, [session, origin, onStanding]);

  useLayoutEffect(() => keepFocus(() => frame.current), []);

  const { width, height, scale } = fit(device, size);
  useEffect(() => onScale(scale), [scale, onScale]);

  return (
    <div ref={room} dir="ltr" className="relative min-h-0 grow overflow-hidden bg-sunken">
      <div style={{ width: width * scale }} className="mx-auto h-full bg-[#fff] shadow-low">
        <iframe
          ref={frame}
          title={t`Page of this entry on the site`}
          src={url}
          sandbox={SANDBOX}
          referrerPolicy="no-referrer"
          style={{ width, height, transform: scale === 1 ? undefined : `scale(${scale})` }}
          className="block origin-top-left border-0"
          onLoad={() => connection.current?.loaded()}
        />
      </div>
    </div>
  );
}
