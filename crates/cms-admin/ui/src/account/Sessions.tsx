// Where one is signed in, and ending that elsewhere.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import type { Session } from "~/api/types";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { Rows } from "~/components/Rows";
import { Loaded } from "~/components/states";
import { toast } from "~/components/toast";

import { sessions } from "./queries";
import { SessionRow, useDeviceName } from "./SessionRow";

export function Sessions() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const query = useQuery(sessions);
  const name = useDeviceName();
  const [ended, setEnded] = useState<Session | "others">();
  const others = query.data?.items.filter((session) => !session.current).length ?? 0;

  async function end() {
    if (!ended) return;
    if (ended === "others") await answer(api.DELETE("/auth/sessions"));
    else await answer(api.DELETE("/auth/sessions/{id}", { params: { path: { id: ended.id } } }));
    await queries.invalidateQueries(sessions);
    toast.good(<Trans>Signed out there.</Trans>);
  }

  return (
    <Card
      id="sessions"
      flush
      title={<Trans>Sessions</Trans>}
      description={<Trans>Browsers that are signed in as you. Sign out any that you do not recognize.</Trans>}
      actions={
        others > 0 && (
          <Button icon={<LogOut className="rtl:-scale-x-100" />} onClick={() => setEnded("others")}>
            <Trans>Sign out everywhere else</Trans>
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="border-t border-line px-5 py-4 text-muted">
              <Trans>There are none. The gateway vouches for every request.</Trans>
            </p>
          ) : (
            <Rows label={t`Sessions`}>
              {items.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  actions={
                    !session.current && (
                      <Button size="sm" aria-label={t`Sign out ${name(session.userAgent)}`} onClick={() => setEnded(session)}>
                        <Trans>Sign out</Trans>
                      </Button>
                    )
                  }
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      {ended && (
        <ConfirmDialog
          open
          onOpenChange={() => setEnded(undefined)}
          title={ended === "others" ? <Trans>Sign out everywhere else?</Trans> : <Trans>Sign out {name(ended.userAgent)}?</Trans>}
          description={
            ended === "others" ? (
              <Plural value={others} one="One other browser has to sign in again." other="# other browsers have to sign in again." />
            ) : (
              <Trans>That browser has to sign in again.</Trans>
            )
          }
          confirm={<Trans>Sign out</Trans>}
          onConfirm={end}
        />
      )}
    </Card>
  );
}
