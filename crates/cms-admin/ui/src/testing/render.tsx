// Draws parts for tests in a browser, as the application does around them.

import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Direction } from "radix-ui";
import type { ReactNode } from "react";
import { render } from "vitest-browser-react";

import { Toasts } from "~/components/toast";
import { direction } from "~/lib/language";

import "~/styles.css";

/** Draws something in English, or in another language whose texts stay English. */
export function show(children: ReactNode, language = "en") {
  i18n.loadAndActivate({ locale: language, messages: {} });
  document.documentElement.dir = direction(language);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const around = (children: ReactNode) => (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queries}>
        <Direction.Provider dir={direction(language)}>
          {children}
          <Toasts />
        </Direction.Provider>
      </QueryClientProvider>
    </I18nProvider>
  );
  return render(around(children));
}
