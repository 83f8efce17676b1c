// How wide the page in the preview is: as on a phone, a tablet or a desk, or as wide as there is room. This browser remembers it.

import { useState } from "react";

/** In CSS pixels, as such devices commonly tell their pages. */
export const DEVICES = { phone: 390, tablet: 820, desktop: 1280 } as const;

export type Device = keyof typeof DEVICES | "full";

const KEY = "cms-preview-device";

export function useDevice(): [Device, (device: Device) => void] {
  const [device, setDevice] = useState(read);
  return [
    device,
    (device) => {
      setDevice(device);
      try {
        localStorage.setItem(KEY, device);
      } catch {
        // It then holds until the page is closed.
      }
    },
  ];
}

function read(): Device {
  try {
    const kept = localStorage.getItem(KEY) ?? "";
    return Object.hasOwn(DEVICES, kept) ? (kept as Device) : "full";
  } catch {
    return "full";
  }
}

/** How a page is drawn in some room, all in CSS pixels: one that is wider than the room is made smaller. */
export function fit(device: Device, room: { width: number; height: number }): { width: number; height: number; scale: number } {
  const width = device === "full" ? room.width : DEVICES[device];
  const scale = width > room.width && room.width > 0 ? room.width / width : 1;
  return { width, height: room.height / scale, scale };
}
