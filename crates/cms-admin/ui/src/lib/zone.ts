// Time zones, as the browser knows them.

import { dateFormat } from "./intl";

/** Whether the browser knows a zone. */
export function isZone(zone: string): boolean {
  try {
    dateFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
