// Starting an import: a file, what becomes of it, and how far it is on its way to the server.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { ApiError } from "~/api/errors";
import { upload } from "~/api/upload";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { Checkbox, SelectField, TextField } from "~/components/Field";
import { FileChoice } from "~/components/upload/FileChoice";
import { Form, LeaveGuard } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { toast } from "~/components/toast";
import { jobs } from "~/jobs/useJobs";
import { BAR } from "~/jobs/Progress";
import { useFormat } from "~/lib/format";

import type { Collection } from "~/api/types";

const NDJSON = "application/x-ndjson";
/** The largest file that the server takes, in bytes. */
const LARGEST = 512 * 1024 * 1024;
/** The code of a problem that is found before anything is sent. */
const UNFIT = "UNFIT_FILE";
/** How much of a file is looked at before it is sent, in bytes. */
const LOOKED_AT = 1024;

/** Whether a file begins as lines of JSON objects do: a picture that was dropped by mistake need not be sent. */
async function looksRight(file: File) {
  const beginning = await file.slice(0, LOOKED_AT).text();
  return beginning.trimStart().startsWith("{") && !beginning.includes("\0");
}

export function ImportCard({ collections }: { collections: Collection[] }) {
  const { t } = useLingui();
  const { percent } = useFormat();
  const queries = useQueryClient();
  const [file, setFile] = useState<File>();
  const [share, setShare] = useState<number>();
  const stop = useRef<AbortController>(undefined);
  const form = useForm({
    values: { onConflict: "error", collection: "", ignore: "", dryRun: false },
    submit: async ({ onConflict, collection, ignore, dryRun }) => {
      if (!file) throw new ApiError({ status: 0, code: UNFIT, message: t`Choose a file first.` });
      if (file.size > LARGEST) throw new ApiError({ status: 413, code: "PAYLOAD_TOO_LARGE", message: t`The file is larger than 512 MB: split it.` });
      if (file.size === 0) throw new ApiError({ status: 0, code: UNFIT, message: t`The file is empty.` });
      if (!(await looksRight(file))) throw new ApiError({ status: 0, code: UNFIT, message: t`This is not a file of JSON lines: each line has to be a JSON object.` });
      const query = new URLSearchParams({ onConflict, dryRun: String(dryRun) });
      if (collection) query.set("collection", collection);
      const ignored = ignore.split(",").map((member) => member.trim()).filter(Boolean);
      if (ignored.length > 0) query.set("ignore", ignored.join(","));
      stop.current = new AbortController();
      setShare(0);
      try {
        await upload("/admin/imports", query, file, { type: NDJSON, onProgress: setShare, signal: stop.current.signal });
        // Whoever has checked it imports it next.
        if (!dryRun) setFile(undefined);
        toast.good(t`The import has started.`);
        void queries.invalidateQueries(jobs);
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
      } finally {
        setShare(undefined);
      }
    },
    explain: (error) => (error instanceof ApiError && error.code === UNFIT ? error.message : undefined),
  });
  const isSending = share !== undefined;
  const shown = percent(share ?? 0);
  return (
    <Card id="import" title={<Trans>Import</Trans>} description={<Trans>Each line of a file becomes an entry, which is checked as if it were typed.</Trans>}>
      {/* What is on its way would be lost. */}
      <LeaveGuard isDirty={isSending} />
      <Form form={form}>
        <FileChoice
          key={file ? "chosen" : "none"}
          file={file}
          onChange={setFile}
          accept=".ndjson,.jsonl,.json,application/x-ndjson"
          hint={<Trans>Newline-delimited JSON, as an export writes it. 512 MB at most.</Trans>}
          disabled={isSending}
        />
        <SelectField label={<Trans>If an entry already exists</Trans>} disabled={isSending} {...form.field("onConflict")}>
          <option value="error">{t`Refuse the line`}</option>
          <option value="skip">{t`Keep the existing entry`}</option>
          <option value="update">{t`Replace it`}</option>
        </SelectField>
        <SelectField label={<Trans>Collection for lines without one</Trans>} optional disabled={isSending} {...form.field("collection")}>
          <option value="">{t`Refuse such lines`}</option>
          {collections.map(({ slug, label }) => (
            <option key={slug} value={slug}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField label={<Trans>Fields to ignore</Trans>} optional hint={<Trans>Separated by commas. Lines with other unknown fields are refused.</Trans>} disabled={isSending} {...form.field("ignore")} />
        <Checkbox
          label={<Trans>Check only</Trans>}
          hint={<Trans>Shows what would happen, and changes nothing.</Trans>}
          disabled={isSending}
          {...form.box("dryRun")}
        />
        {isSending && (
          <div className="grid gap-1.5">
            <progress aria-label={t`Upload`} className={BAR} max={1} value={share} />
            <p className="text-sm text-muted">{share < 1 ? <Trans>{shown} sent</Trans> : <Trans>Everything has been sent. The server is storing it.</Trans>}</p>
          </div>
        )}
        <div>
          {isSending ? (
            // It takes the place, and with it the focus, of the button that was pressed.
            <Button key="stop" autoFocus onClick={() => stop.current?.abort()}>
              <Trans>Stop sending</Trans>
            </Button>
          ) : (
            <Button key="start" type="submit" variant="primary">
              {form.values.dryRun ? <Trans>Check the file</Trans> : <Trans>Import</Trans>}
            </Button>
          )}
        </div>
      </Form>
    </Card>
  );
}
