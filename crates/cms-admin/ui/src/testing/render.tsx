// Draws parts for tests in a browser, as the application does around them.

import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { Direction } from "radix-ui";
import { createContext, use, type ReactNode } from "react";
import { render } from "vitest-browser-react";

import { Toasts } from "~/components/toast";
import { direction } from "~/lib/language";

import "~/styles.css";

interface Surroundings {
  /** A language whose texts stay English. */
  language?: string;
  /** What was asked of the server already. */
  queries?: QueryClient;
}

const Shown = createContext<ReactNode>(null);

/** Draws something in English, or in another language whose texts stay English. Drawing again keeps its state. */
export async function show(children: ReactNode, { language = "en", queries = freshQueries() }: Surroundings = {}) {
  i18n.loadAndActivate({ locale: language, messages: {} });
  document.documentElement.dir = direction(language);
  const router = createRouter({ routeTree: createRootRoute({ component: Content }), history: createMemoryHistory() });
  await router.load();
  const around = (children: ReactNode) => (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queries}>
        <Direction.Provider dir={direction(language)}>
          <Shown value={children}>
            {/* Parts may hold links and ask before leaving: they need a router, whatever it is. */}
            <RouterProvider router={router as never} />
          </Shown>
          <Toasts />
        </Direction.Provider>
      </QueryClientProvider>
    </I18nProvider>
  );
  const screen = await render(around(children));
  return { ...screen, router, again: (children: ReactNode) => screen.rerender(around(children)) };
}

function Content() {
  return use(Shown);
}

/** Asks nothing twice: a failure shows at once. */
export function freshQueries(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false } } });
}
