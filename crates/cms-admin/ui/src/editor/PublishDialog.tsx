// Everything that goes live, before it does: what differs from what is public now, and what there is to look at.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { messageOf } from "~/api/errors";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Notice } from "~/components/Notice";
import { Loaded } from "~/components/states";
import { toast } from "~/components/toast";
import type { components } from "~/api/schema";
import { useSiteTime } from "~/content/plan";
import { useFormat } from "~/lib/format";

import { Checklist } from "./Checklist";
import { Difference } from "./Difference";
import type { Actions } from "./model/actions";
import { useDraft, useItem, useSession } from "./model/context";
import { usePlaceName } from "./model/names";
import { useLanguageName } from "./panel/Translations";
import { comparison } from "./queries";

type Reached = components["schemas"]["ReachedTranslation"];

interface PublishDialogProps {
  actions: Actions;
  onClose: () => void;
  onJump: (path: string) => void;
  onConflict: () => void;
}

export function PublishDialog({ actions, onClose, onJump, onConflict }: PublishDialogProps) {
  const { t } = useLingui();
  const siteTime = useSiteTime();
  const session = useSession();
  const item = useItem();
  const standing = useDraft(({ standing }) => standing);
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isLive = item?.status === "published";
  const planned = item?.scheduledAt ? siteTime(item.scheduledAt) : undefined;

  // What is compared is what is on the screen.
  useEffect(() => void session.save(), [session]);

  async function publish() {
    setPending(true);
    setProblem(undefined);
    try {
      if (await actions.publish()) {
        toast.good(isLive ? t`Changes published` : t`Published`);
        onClose();
      }
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setPending(false);
    }
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} locked={isPending} size="lg" title={isLive ? <Trans>Publish these changes?</Trans> : <Trans>Publish this?</Trans>}>
      <div className="grid max-h-[60dvh] gap-5 overflow-y-auto pe-1">
        {problem && <Notice tone="bad">{problem}</Notice>}
        {standing === "conflict" && (
          <Notice
            tone="warn"
            action={
              <Button size="sm" onClick={onConflict}>
                <Trans>Compare and choose</Trans>
              </Button>
            }
          >
            <Trans>Somebody else changed the same place. Nothing is published until you choose.</Trans>
          </Notice>
        )}
        {standing === "offline" && (
          <Notice tone="warn">
            <Trans>The server cannot be reached. Nothing is published until it can.</Trans>
          </Notice>
        )}
        {planned && (
          <Notice tone="info">
            <Trans>It is scheduled for {planned}. If you publish it now, it does not wait for that.</Trans>
          </Notice>
        )}
        <section className="grid gap-2">
          <h2 className="font-semibold">
            <Trans>Before you publish</Trans>
          </h2>
          <Checklist onJump={onJump} />
        </section>
        {item && standing === "saved" && (
          <section className="grid gap-1">
            <h2 className="font-semibold">
              <Trans>What goes live</Trans>
            </h2>
            <Changes id={item.id} version={item.version ?? 0} />
          </section>
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose} disabled={isPending}>
          <Trans>Not yet</Trans>
        </Button>
        <Button variant="primary" autoFocus pending={isPending || standing === "saving"} disabled={standing !== "saved" && standing !== "saving"} onClick={() => void publish()}>
          <Trans>Publish now</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Changes({ id, version }: { id: string; version: number }) {
  const { collection, fields } = useSession();
  const placeName = usePlaceName();
  const query = useQuery(comparison({ collection: collection.slug, id }, version));
  return (
    <Loaded query={query}>
      {({ changes, live, translations }) => (
        <>
          {live === null ? (
            <p className="text-muted">
              <Trans>All of it: nothing of this entry is public yet.</Trans>
            </p>
          ) : changes.length === 0 ? (
            <p className="text-muted">
              <Trans>Nothing differs from what is public now.</Trans>
            </p>
          ) : (
            <>
              <p className="text-sm text-muted">
                <Plural value={changes.length} one="# change" other="# changes" />
              </p>
              {changes.map(({ path, live, draft }) => (
                <Difference key={path} label={placeName(path)} type={fields.find(({ slug }) => `data.${slug}` === path)?.type} before={live} after={draft} />
              ))}
            </>
          )}
          {translations.length > 0 && <ChangedAlong translations={translations} />}
        </>
      )}
    </Loaded>
  );
}

/** Translations share some values: whoever publishes one changes the others. */
function ChangedAlong({ translations }: { translations: Reached[] }) {
  const languageName = useLanguageName();
  const { list } = useFormat();
  const placeName = usePlaceName();
  return (
    <Notice tone="warn" title={<Trans>Translations change as well</Trans>}>
      <Trans>They share the values of some fields with this entry.</Trans>
      <ul className="list-disc ps-5">
        {translations.map(({ id, locale, status, deletedAt, fields }) => {
          const name = languageName(locale);
          const changed = list(fields.map((field) => placeName(`data.${field}`)));
          return (
            <li key={id}>
              {deletedAt ? (
                <Trans>
                  {name} (in the trash): {changed}
                </Trans>
              ) : status === "draft" ? (
                <Trans>
                  {name} (not published): {changed}
                </Trans>
              ) : (
                <Trans>
                  {name} (published or scheduled): {changed}
                </Trans>
              )}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}
