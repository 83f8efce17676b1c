// Preview links of an entry, for people without an account: one is made and copied, and those that are good are listed and revoked.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link2, Unlink } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { isCode, messageOf } from "~/api/errors";
import type { components } from "~/api/schema";
import { Badge } from "~/components/Badge";
import { Button } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { CopyField } from "~/components/CopyField";
import { Dialog } from "~/components/Dialog";
import { SelectField } from "~/components/Field";
import { Notice } from "~/components/Notice";
import { Row, Rows } from "~/components/Rows";
import { Loaded, SkeletonRows } from "~/components/states";
import { toast } from "~/components/toast";
import { useCell } from "~/editor/model/cell";
import { useSession } from "~/editor/model/context";
import { useFormat } from "~/lib/format";
import { previewOrigin } from "~/lib/site";
import { useMe } from "~/session/session";

import { makeLink, ownLinkOf, type Link } from "./link";
import { MakerName } from "./MakerName";
import { links } from "./queries";

type Listed = components["schemas"]["PreviewView"];

/** How long a link can be good, in seconds. */
const LIFETIMES = [3_600, 86_400, 7 * 86_400, 30 * 86_400];
const USUAL = 86_400;

export interface LinksDialogProps {
  /** Whether whoever looks may revoke what others made. */
  mayRevokeAll: boolean;
  onClose: () => void;
}

export default function LinksDialog({ mayRevokeAll, onClose }: LinksDialogProps) {
  const session = useSession();
  const { slug: collection } = session.collection;
  const entry = { collection, id: session.store.id };
  const query = useQuery(links(entry));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={<Trans>Preview links</Trans>}
      description={<Trans>Whoever has such a link sees this entry as it was saved last, without an account, until the link ends or is revoked.</Trans>}
    >
      <Make />
      <section className="mt-6">
        <Loaded query={query} skeleton={<SkeletonRows rows={2} />}>
          {(items) => <List {...{ items, mayRevokeAll }} />}
        </Loaded>
      </section>
    </Dialog>
  );
}

function Make() {
  const { t } = useLingui();
  const { duration, dateTime } = useFormat();
  const session = useSession();
  const queries = useQueryClient();
  const [lifetime, setLifetime] = useState(USUAL);
  const [isPending, setPending] = useState(false);
  const [made, setMade] = useState<Link>();
  const [problem, setProblem] = useState<string>();
  const entry = { collection: session.collection.slug, id: session.store.id };
  const listed = useQuery(links(entry)).data;

  async function make() {
    setPending(true);
    setProblem(undefined);
    try {
      setMade(await makeLink(session.collection, entry.id, lifetime));
      await queries.invalidateQueries({ queryKey: links(entry).queryKey });
    } catch (error) {
      setProblem(isCode(error, "PREVIEW_LIMIT") ? t`There are as many links to this entry as there can be. Revoke one that nobody uses any more.` : messageOf(error));
    } finally {
      setPending(false);
    }
  }

  // One that was revoked meanwhile is not to be handed out.
  const isGood = made && listed?.some(({ id }) => id === made.id) !== false;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField label={t`Valid for`} value={lifetime} onChange={(event) => setLifetime(Number(event.target.value))} className="min-w-40 max-sm:w-full">
          {LIFETIMES.map((seconds) => (
            <option key={seconds} value={seconds}>
              {duration(seconds)}
            </option>
          ))}
        </SelectField>
        <Button variant="primary" icon={<Link2 />} pending={isPending} onClick={() => void make()} className="max-sm:w-full">
          <Trans>Create link</Trans>
        </Button>
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {isGood && <CopyField label={t`The new link`} value={made.url} hint={t`Valid until ${dateTime(made.expiresAt)}. Copy it now: it is not shown again.`} />}
      {previewOrigin === "" && (
        <Notice>
          <Trans>The server was not told where the site is. Links begin with the address of this application, and lead to a page only where the site is there as well.</Trans>
        </Notice>
      )}
    </div>
  );
}

function List({ items, mayRevokeAll }: { items: Listed[]; mayRevokeAll: boolean }) {
  const { t } = useLingui();
  const { dateTime, relative } = useFormat();
  const session = useSession();
  const queries = useQueryClient();
  const me = useMe();
  const [ending, setEnding] = useState<Listed | "all">();
  const entry = { collection: session.collection.slug, id: session.store.id };
  const own = ownLinkOf(session);
  const ownLink = useCell(own.link);

  async function revoke() {
    const one = ending === "all" ? undefined : ending?.id;
    try {
      if (one === undefined) await answer(api.DELETE("/content/{collection}/{id}/preview-url", { params: { path: entry } }));
      else await answer(api.DELETE("/content/{collection}/{id}/preview-url/{previewId}", { params: { path: { ...entry, previewId: one } } }));
    } catch (error) {
      // Somebody else was faster, or its time came.
      if (one === undefined || !isCode(error, "NOT_FOUND")) throw error;
    }
    own.revoked(one);
    await queries.invalidateQueries({ queryKey: links(entry).queryKey });
    toast.good(one === undefined ? t`All links are revoked` : t`The link is revoked`);
  }

  return (
    <>
      <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">
          <Trans>Active links</Trans>
        </h3>
        {mayRevokeAll && items.length > 0 && (
          <Button size="sm" icon={<Unlink />} onClick={() => setEnding("all")}>
            <Trans>Revoke all</Trans>
          </Button>
        )}
      </div>
      {items.length === 0 ? (
        <p className="text-muted">
          <Trans>There are no active links to this entry.</Trans>
        </p>
      ) : (
        <div className="overflow-hidden rounded-lg border border-line *:border-t-0">
          <Rows label={t`Active links`}>
            {items.map((link) => (
              <Row
                key={link.id}
                title={<MakerName id={link.userId} />}
                badges={<Badges link={link} isOwn={ownLink?.id === link.id} />}
                actions={
                  (mayRevokeAll || link.userId === me.id) && (
                    <Button size="sm" onClick={() => setEnding(link)}>
                      <Trans>Revoke</Trans>
                    </Button>
                  )
                }
              >
                <Trans>
                  Created <span title={dateTime(link.createdAt)}>{relative(link.createdAt)}</span>, valid until {dateTime(link.expiresAt)}
                </Trans>
              </Row>
            ))}
          </Rows>
        </div>
      )}
      <ConfirmDialog
        open={ending !== undefined}
        onOpenChange={() => setEnding(undefined)}
        danger
        title={ending === "all" ? <Trans>Revoke all links to this entry?</Trans> : <Trans>Revoke this link?</Trans>}
        description={<Trans>Whoever has it no longer sees the entry. This cannot be taken back, and a new link can be made at any time.</Trans>}
        confirm={ending === "all" ? <Trans>Revoke all</Trans> : <Trans>Revoke</Trans>}
        onConfirm={revoke}
      />
    </>
  );
}

/** What a link was made with, and by. */
function Badges({ link: { madeWith }, isOwn }: { link: Listed; isOwn: boolean }) {
  if (isOwn) {
    return (
      <Badge tone="accent">
        <Trans>This tab’s preview</Trans>
      </Badge>
    );
  }
  if (madeWith === "session") return null;
  return <Badge>{madeWith === "token" ? <Trans>With an access token</Trans> : <Trans>By an application</Trans>}</Badge>;
}
