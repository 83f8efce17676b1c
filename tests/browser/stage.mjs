// What the tests of a file share.

import { after, before } from "node:test";

import { openBrowser } from "./browser.mjs";
import { openSite } from "./site.mjs";

/** A `site` and a `browser`, there before the tests of a file and gone after them; `openService` opens a `service` that the site is configured with. */
export function setStage(openService) {
  const stage = {};
  before(async () => {
    [stage.browser, stage.service] = await Promise.all([openBrowser(), openService?.()]);
    stage.site = await openSite({ config: stage.service?.config });
  });
  after(async () => {
    await stage.browser?.close();
    await stage.site?.close();
    stage.service?.close();
  });
  return stage;
}
