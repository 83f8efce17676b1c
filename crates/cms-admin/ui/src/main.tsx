// Starts the application: its language first, so that nothing is drawn twice.

import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { numberFormat } from "~/lib/intl";
import { activate, preferred } from "~/lib/language";
import { queries, router } from "~/router";

import "./styles.css";

/** How long after a reload another one does not help, in milliseconds. */
const RELOADED = 20_000;

/** Whether the page was not reloaded for this just now. Notes that it is. */
function isNewStart(): boolean {
  try {
    const last = Number(sessionStorage.getItem("cms-reloaded") ?? 0);
    sessionStorage.setItem("cms-reloaded", String(Date.now()));
    return Date.now() - last > RELOADED;
  } catch {
    // Without a note it might go on for ever.
    return false;
  }
}

// A screen's code that is not there any more is that of an older version: the page begins again with the newest, once.
addEventListener("vite:preloadError", (event) => {
  if (!isNewStart()) return;
  event.preventDefault();
  location.reload();
});

await activate(preferred());

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
  // A browser takes longer to make its first format of numbers than a list with one in it: it does so while the server is waited for.
  setTimeout(() => numberFormat(i18n.locale));
}
