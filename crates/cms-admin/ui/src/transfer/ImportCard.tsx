// Starting an import: a file, what becomes of it, and how far it is on its way to the server.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { ApiError } from "~/api/errors";
import { upload } from "~/api/upload";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { Checkbox, SelectField, TextField } from "~/components/Field";
import { Form, LeaveGuard, useForm } from "~/components/form";
import { toast } from "~/components/toast";
import { jobs } from "~/jobs/useJobs";
import { BAR } from "~/jobs/Progress";
import { useFormat } from "~/lib/format";

import { FileChoice } from "./FileChoice";
import type { Collection } from "./collections";

const NDJSON = "application/x-ndjson";
/** The largest file that the server takes, in bytes. */
const LARGEST = 512 * 1024 * 1024;

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
      if (!file) throw new ApiError({ status: 0, code: "NO_FILE", message: t`Choose a file first.` });
      if (file.size > LARGEST) throw new ApiError({ status: 413, code: "PAYLOAD_TOO_LARGE", message: t`The file is larger than 512 MB: split it.` });
      const query = new URLSearchParams({ onConflict, dryRun: String(dryRun) });
      if (collection) query.set("collection", collection);
      const ignored = ignore.split(",").map((member) => member.trim()).filter(Boolean);
      if (ignored.length > 0) query.set("ignore", JSON.stringify(ignored));
      stop.current = new AbortController();
      setShare(0);
      try {
        await upload("/admin/imports", query, file, { type: NDJSON, onProgress: setShare, signal: stop.current.signal });
        setFile(undefined);
        toast.good(t`The file has arrived. The import goes on by itself.`);
        void queries.invalidateQueries(jobs);
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
      } finally {
        setShare(undefined);
      }
    },
    explain: (error) => (error instanceof ApiError && error.code === "NO_FILE" ? error.message : undefined),
  });
  const isSending = share !== undefined;
  const shown = percent(share ?? 0);
  return (
    <Card id="import" title={<Trans>Import</Trans>} description={<Trans>Each line of a file becomes an entry, which is checked as if it were typed.</Trans>}>
      {/* What is on its way would be lost. */}
      <LeaveGuard isDirty={isSending} />
      <Form form={form}>
        <FileChoice key={file ? "chosen" : "none"} file={file} onChange={setFile} accept=".ndjson,.jsonl,.json,application/x-ndjson" disabled={isSending} />
        <SelectField label={<Trans>When an entry is there already</Trans>} disabled={isSending} {...form.field("onConflict")}>
          <option value="error">{t`Report it as an error`}</option>
          <option value="skip">{t`Leave it as it is`}</option>
          <option value="update">{t`Replace it with the line`}</option>
        </SelectField>
        <SelectField label={<Trans>Collection of lines that name none</Trans>} optional disabled={isSending} {...form.field("collection")}>
          <option value="">{t`None`}</option>
          {collections.map(({ slug, label }) => (
            <option key={slug} value={slug}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField label={<Trans>Members to leave out</Trans>} optional hint={<Trans>Separated by commas. Any other member that is not known is refused.</Trans>} disabled={isSending} {...form.field("ignore")} />
        <Checkbox
          label={<Trans>Only check</Trans>}
          hint={<Trans>Tells what would happen, and changes nothing.</Trans>}
          disabled={isSending}
          {...form.box("dryRun")}
        />
        {isSending && (
          <div className="grid gap-1.5">
            <progress aria-label={t`Upload`} className={BAR} max={1} value={share} />
            <p className="text-sm text-muted">{share < 1 ? <Trans>{shown} sent</Trans> : <Trans>All of it is sent. The server is keeping it.</Trans>}</p>
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
