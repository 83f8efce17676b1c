// The model as a file to keep: for version control, for another site, and for the way back.

import { Trans, useLingui } from "@lingui/react/macro";
import { Download } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { toast } from "~/components/toast";

import { save } from "../save";

/** A model as `cms schema export` writes it. */
export function saveModel(name: string, model: unknown): void {
  save(name, "application/json", `${JSON.stringify(model, null, 2)}\n`);
}

export function DownloadCard() {
  const { t } = useLingui();
  const [pending, setPending] = useState<"model" | "types">();

  async function download(what: "model" | "types") {
    setPending(what);
    try {
      if (what === "model") saveModel("model.json", await answer(api.GET("/schema")));
      else save("collections.ts", "text/typescript", (await answer(api.GET("/schema/types"))).typescript);
    } catch (error) {
      toast.bad(error);
    } finally {
      setPending(undefined);
    }
  }

  return (
    <Card
      id="download"
      title={<Trans>Download the model</Trans>}
      description={<Trans>Every collection with its fields and settings, and none of the content. Keep it beside your code, or give it to another site.</Trans>}
    >
      <div className="flex flex-wrap gap-2">
        <Button icon={<Download />} pending={pending === "model"} onClick={() => void download("model")}>
          {t`Model as JSON`}
        </Button>
        <Button icon={<Download />} pending={pending === "types"} onClick={() => void download("types")}>
          {t`Types for TypeScript`}
        </Button>
      </div>
    </Card>
  );
}
