// Starting an export: of everything, or of some collections.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { Checkbox } from "~/components/Field";
import { Form } from "~/forms/Form";
import { useForm } from "~/forms/useForm";
import { toast } from "~/components/toast";
import { jobs } from "~/jobs/useJobs";

import type { Collection } from "~/api/types";

export function ExportCard({ collections }: { collections: Collection[] }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const form = useForm({
    values: { collections: [] as string[] },
    submit: async (values) => {
      await answer(api.POST("/admin/exports", { body: values }));
      toast.good(t`The export has started. Its file will appear below.`);
      void queries.invalidateQueries(jobs);
    },
  });
  const chosen = form.values.collections;
  return (
    <Card
      id="export"
      title={<Trans>Export</Trans>}
      description={<Trans>Every entry outside of the trash, with drafts, as a file that can be imported again. It is kept for 7 days, or until your next export.</Trans>}
    >
      <Form form={form}>
        {collections.length > 0 && (
          <fieldset className="grid min-w-0 gap-2">
            <legend className="mb-1.5 font-medium">
              <Trans>Collections</Trans>
            </legend>
            <p className="-mt-1.5 text-sm text-muted">
              <Trans>All collections if none is chosen.</Trans>
            </p>
            <div className="max-h-64 divide-y divide-line overflow-y-auto rounded-md border border-line">
              {collections.map(({ slug, label }) => (
                <Checkbox
                  key={slug}
                  name="collections"
                  className="px-3.5 py-2.5"
                  label={<bdi>{label}</bdi>}
                  checked={chosen.includes(slug)}
                  onChange={(event) => form.set("collections", event.target.checked ? [...chosen, slug] : chosen.filter((other) => other !== slug))}
                />
              ))}
            </div>
          </fieldset>
        )}
        <div>
          <Button type="submit" variant="primary" pending={form.isSending}>
            <Trans>Export</Trans>
          </Button>
        </div>
      </Form>
    </Card>
  );
}
