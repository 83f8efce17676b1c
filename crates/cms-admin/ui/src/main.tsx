// Starts the application: its language first, so that nothing is drawn twice.

import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { numberFormat } from "~/lib/intl";
import { activate, preferred } from "~/lib/language";
import { heedUnfetched } from "~/lib/lazily";
import { queries, router } from "~/router";

import "./styles.css";

heedUnfetched();

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
