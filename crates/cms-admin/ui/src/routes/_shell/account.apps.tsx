// The applications that one let in, and what they may do.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { AppWindow, Blocks, Unplug } from "lucide-react";
import { useState } from "react";

import { NarrowDialog } from "~/account/NarrowDialog";
import { grants } from "~/account/queries";
import { answer, api } from "~/api/client";
import type { Grant } from "~/api/types";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { PageHeader } from "~/components/PageHeader";
import { Row, Rows } from "~/components/Rows";
import { ScopeList } from "~/components/ScopeChoice";
import { EmptyState, Loaded } from "~/components/states";
import { toast } from "~/components/toast";
import { useFormat } from "~/lib/format";

export const Route = createFileRoute("/_shell/account/apps")({
  staticData: {
    place: { label: msg`Connected applications`, icon: Unplug, group: "account", at: 40, words: msg`grants oauth consent agents` },
  },
  component: Applications,
});

function Applications() {
  const { t } = useLingui();
  const { date, relative } = useFormat();
  const queries = useQueryClient();
  const query = useQuery(grants);
  const [narrowed, setNarrowed] = useState<Grant>();
  const [revoked, setRevoked] = useState<Grant>();
  const revokedName = revoked?.client.name;
  return (
    <>
      <PageHeader title={t`Connected applications`} description={<Trans>Applications that you have allowed to act for you.</Trans>} />
      <Card flush>
        <Loaded query={query}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState icon={<Blocks />} title={<Trans>No connected applications</Trans>}>
                <Trans>An application that wants to work with this site asks you first, in the browser. Those that you allow are listed here.</Trans>
              </EmptyState>
            ) : (
              <div className="-mt-px">
                <Rows label={t`Connected applications`}>
                  {items.map((grant) => {
                    const name = grant.client.name;
                    return (
                      <Row
                        key={grant.id}
                        icon={<AppWindow />}
                        title={name}
                        actions={
                          <>
                            {grant.scopes.length > 1 && (
                              <Button size="sm" variant="ghost" aria-label={t`Change what ${name} may do`} onClick={() => setNarrowed(grant)}>
                                <Trans>Change</Trans>
                              </Button>
                            )}
                            <Button size="sm" aria-label={t`Disconnect ${name}`} onClick={() => setRevoked(grant)}>
                              <Trans>Disconnect</Trans>
                            </Button>
                          </>
                        }
                      >
                        <p>
                          <Trans>
                            May: <ScopeList scopes={grant.scopes} />
                          </Trans>
                        </p>
                        <p>
                          <Trans>since {date(grant.createdAt)}</Trans> ·{" "}
                          {grant.lastUsedAt ? <Trans>last used {relative(grant.lastUsedAt)}</Trans> : <Trans>not used yet</Trans>} ·{" "}
                          <Trans>ends {date(grant.expiresAt)} at the latest</Trans>
                        </p>
                      </Row>
                    );
                  })}
                </Rows>
              </div>
            )
          }
        </Loaded>
      </Card>
      {narrowed && <NarrowDialog grant={narrowed} onClose={() => setNarrowed(undefined)} />}
      {revoked && (
        <ConfirmDialog
          open
          onOpenChange={() => setRevoked(undefined)}
          danger
          title={<Trans>Disconnect “{revokedName}”?</Trans>}
          description={<Trans>It is refused at once. To use it again, it has to ask you again.</Trans>}
          confirm={<Trans>Disconnect</Trans>}
          onConfirm={async () => {
            await answer(api.DELETE("/oauth/grants/{id}", { params: { path: { id: revoked.id } } }));
            await queries.invalidateQueries(grants);
            toast.good(<Trans>The application is disconnected.</Trans>);
          }}
        />
      )}
    </>
  );
}
