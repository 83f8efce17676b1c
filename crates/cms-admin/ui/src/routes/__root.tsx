// Around every screen: toasts, the question to sign in again, and where the keyboard lands after a change of screen.

import { useLingui } from "@lingui/react";
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { Direction } from "radix-ui";

import { Toasts } from "~/components/toast";
import { direction } from "~/lib/language";
import { SignInAgain } from "~/session/SignInAgain";
import { FocusHeading } from "~/shell/FocusHeading";

export const Route = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Root });

function Root() {
  const { i18n } = useLingui();
  return (
    // Menus and tabs turn their arrow keys by this.
    <Direction.Provider dir={direction(i18n.locale)}>
      <Outlet />
      <FocusHeading />
      <SignInAgain />
      <Toasts />
    </Direction.Provider>
  );
}
