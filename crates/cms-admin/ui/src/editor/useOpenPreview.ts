// The preview in a tab of its own.

import { useLingui } from "@lingui/react/macro";
import { useCallback } from "react";

import { toast } from "~/components/toast";

import type { Actions } from "./model/actions";

export function useOpenPreview({ preview }: Pick<Actions, "preview">, onRefused: () => void): () => void {
  const { t } = useLingui();
  return useCallback(() => {
    // The window is opened at once: browsers let no page open one later.
    const tab = window.open("", "_blank");
    if (tab) {
      tab.opener = null;
      // It is in front while the entry is saved, and also while something is asked of whoever waits for it.
      tab.document.body.textContent = t`The preview is on its way. If nothing happens, something is asked of you in the editor.`;
    }
    preview().then(
      (url) => {
        if (url && tab) tab.location.href = url;
        else if (url) location.assign(url);
        else {
          tab?.close();
          onRefused();
        }
      },
      (error: unknown) => {
        tab?.close();
        toast.bad(error);
      },
    );
  }, [preview, onRefused, t]);
}
