// The model as a file: to keep it, and to bring this site to another one. What would happen is shown first, and nothing is lost that nobody agreed to.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useId, useState } from "react";

import { Card } from "~/components/Card";
import { Notice } from "~/components/Notice";
import { PageHeader } from "~/components/PageHeader";
import { Loaded } from "~/components/states";
import { Spinner } from "~/components/Spinner";

import { exported } from "../queries";
import { Choose } from "./Choose";
import { DownloadCard } from "./DownloadCard";
import type { Declared } from "./plan";
import { Planned } from "./Planned";
import { useProblem } from "./useProblem";
import { useReading } from "./useReading";

const NOTHING: Declared = { isPartial: true, renames: new Map(), convert: new Set() };

export function FileScreen() {
  const { t } = useLingui();
  const query = useQuery(exported);
  const problemText = useProblem();
  const [file, setFile] = useState<File>();
  const [declared, setDeclared] = useState(NOTHING);
  const [isApplying, setApplying] = useState(false);
  const { read, isReading, isFailed, linesOf } = useReading(file);

  function choose(file: File | undefined) {
    setFile(file);
    // What was said of another file holds for it alone.
    setDeclared(({ isPartial }) => ({ ...NOTHING, isPartial }));
  }

  return (
    <>
      <PageHeader
        title={t`Model as a file`}
        description={<Trans>Keep the content model as a file, or change it to match one: from version control, or from another site.</Trans>}
        back={
          <Link to="/model">
            <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
            <Trans>Content model</Trans>
          </Link>
        }
      />
      <div className="grid gap-6">
        <DownloadCard />
        <Card id="change" title={<Trans>Change the model to match a file</Trans>} description={<Trans>First you see what would happen. Nothing changes until you say so.</Trans>}>
          <div className="grid gap-5">
            <Choose file={file} onChange={choose} disabled={isApplying} />
            <Others isPartial={declared.isPartial} onChange={(isPartial) => setDeclared({ ...declared, isPartial })} disabled={isApplying} />
            <div role="status" className="empty:hidden">
              {isReading && (
                <p className="flex items-center gap-2 text-muted">
                  <Spinner /> <Trans>The file is being read…</Trans>
                </p>
              )}
            </div>
            {isFailed && (
              <Notice tone="bad">
                <Trans>The file could not be read. Choose it again.</Trans>
              </Notice>
            )}
            {read?.problem && (
              <Notice tone="bad" title={<Trans>This file cannot be used</Trans>}>
                {problemText(read.problem)}
              </Notice>
            )}
          </div>
        </Card>
        {read?.model && (
          <Loaded query={query}>
            {(there) => (
              <Planned
                key={read.number}
                {...{ read, there, declared, linesOf }}
                onDeclare={setDeclared}
                onApplying={setApplying}
              />
            )}
          </Loaded>
        )}
      </div>
    </>
  );
}

/** What becomes of collections that a file says nothing of. */
function Others({ isPartial, onChange, disabled }: { isPartial: boolean; onChange: (isPartial: boolean) => void; disabled: boolean }) {
  const name = useId();
  const choice = (value: boolean) => ({ type: "radio", name, disabled, checked: isPartial === value, onChange: () => onChange(value), className: "mt-[0.2rem] size-4 shrink-0" }) as const;
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">
        <Trans>Collections that are not in the file</Trans>
      </legend>
      <label className="flex gap-2.5">
        <input {...choice(true)} />
        <Trans>stay as they are</Trans>
      </label>
      <label className="flex gap-2.5">
        <input {...choice(false)} />
        <Trans>are deleted: the file is the whole model</Trans>
      </label>
    </fieldset>
  );
}
