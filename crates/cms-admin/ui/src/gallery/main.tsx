// Starts the gallery: a list of pages, and what is around them in the application.

import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createHashHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { Direction } from "radix-ui";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { Toasts } from "~/components/toast";
import { activate, direction, LANGUAGES, type Language } from "~/lib/language";

import { Gallery } from "./Gallery";

import "../styles.css";

const asked = new URLSearchParams(location.search);
const theme = asked.get("theme");
if (theme) document.documentElement.dataset.theme = theme;
const language = asked.get("language") ?? "en";
await activate(language in LANGUAGES ? (language as Language) : "en");

// Parts may hold links: they need a router, whatever it is.
const router = createRouter({ routeTree: createRootRoute({ component: Gallery }), history: createHashHistory() });
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={new QueryClient()}>
          <Direction.Provider dir={direction(i18n.locale)}>
            <RouterProvider router={router as never} />
            <Toasts />
          </Direction.Provider>
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
}
