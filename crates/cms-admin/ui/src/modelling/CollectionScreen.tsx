// One collection: its fields with the form that they make, and its settings.

import { Trans, useLingui } from "@lingui/react/macro";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Ellipsis, List, Plus, Shapes, Trash2 } from "lucide-react";
import { Suspense, useRef, useState } from "react";

import { isCode } from "~/api/errors";
import type { Collection, ContentField } from "~/api/types";
import { Button, ButtonLink, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { Menu, MenuItem } from "~/components/Menu";
import { PageHeader } from "~/components/PageHeader";
import { EmptyState, Loaded, SkeletonRows } from "~/components/states";
import { Tabs } from "~/components/Tabs";
import { LeaveDialog } from "~/forms/LeaveDialog";
import { lazily } from "~/lib/lazily";
import { useMedia } from "~/lib/useMedia";

import { DeleteCollection, DeleteField } from "./Deleting";
import { draftOf } from "./draft";
import { FieldList } from "./FieldList";
import { FieldPanel, type Opened } from "./FieldPanel";
import { freeIdentifier } from "./identifier";
import { Preview } from "./Preview";
import { useModel } from "./queries";
import { SettingsForm } from "./SettingsForm";
import { Work } from "./Work";

const CodePanel = lazily(() => import("./code/CodePanel").then((of) => of.default));

/** The tabs that the address names; without one, the fields are shown. */
const TABS = ["settings", "code"];

interface CollectionScreenProps {
  slug: string;
  tab: string | undefined;
  onTab: (tab: string | undefined) => void;
}

export function CollectionScreen({ slug, tab, onTab }: CollectionScreenProps) {
  const { t } = useLingui();
  const query = useModel(slug);
  const isGone = isCode(query.error, "COLLECTION_NOT_FOUND", "NOT_FOUND", "VALIDATION_ERROR");
  if (query.data && !isGone) return <Modelled collection={query.data} tab={tab} onTab={onTab} />;
  return (
    <>
      <PageHeader title={t`Content model`} back={<Back />} />
      <Card flush>
        {isGone ? (
          <EmptyState title={<Trans>There is no such collection</Trans>}>
            <Trans>It may have been deleted, or have another name.</Trans>
          </EmptyState>
        ) : (
          <Loaded query={query}>{() => null}</Loaded>
        )}
      </Card>
    </>
  );
}

function Back() {
  return (
    <Link to="/model">
      <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
      <Trans>Content model</Trans>
    </Link>
  );
}

function Modelled({ collection, tab, onTab }: Omit<CollectionScreenProps, "slug"> & { collection: Collection }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const panel = useFieldPanel(collection);
  const [isDeleting, setDeleting] = useState(false);
  const { slug, label, description } = collection;
  return (
    <div data-wide className="flex items-start gap-6">
      <div className="min-w-0 grow">
        <PageHeader
          title={label}
          description={description}
          back={<Back />}
          actions={
            <>
              <ButtonLink to="/content/$collection" params={{ collection: slug }} icon={<List aria-hidden />}>
                <Trans>Show entries</Trans>
              </ButtonLink>
              <Menu trigger={<IconButton label={t`More`} icon={<Ellipsis />} />}>
                <MenuItem danger icon={<Trash2 />} onSelect={() => setDeleting(true)}>
                  <Trans>Delete collection…</Trans>
                </MenuItem>
              </Menu>
            </>
          }
        />
        <div className="grid gap-6">
          <Work collection={collection} />
          <Tabs
            label={t`Parts of the collection`}
            value={tab !== undefined && TABS.includes(tab) ? tab : "fields"}
            onChange={(tab) => panel.leave(() => onTab(TABS.includes(tab) ? tab : undefined))}
            tabs={[
              { value: "fields", label: <Trans>Fields</Trans>, content: <Fields collection={collection} panel={panel} /> },
              { value: "settings", label: <Trans>Settings</Trans>, content: <SettingsForm collection={collection} /> },
              {
                value: "code",
                label: <Trans>In code</Trans>,
                content: (
                  <Suspense fallback={<SkeletonRows />}>
                    <CodePanel collection={collection} />
                  </Suspense>
                ),
              },
            ]}
          />
        </div>
      </div>
      {panel.drawn}
      {isDeleting && <DeleteCollection collection={collection} onClose={() => setDeleting(false)} onDeleted={() => void navigate({ to: "/model", ignoreBlocker: true })} />}
    </div>
  );
}

/** The panel of a field beside the screen. What was typed in it is not left without a question. */
function useFieldPanel(collection: Collection) {
  // Each opening is another panel, which begins with nothing of the one before.
  const [opened, setOpened] = useState<{ number: number; of: Opened }>();
  const [asked, setAsked] = useState<() => void>();
  const isDirty = useRef(false);
  const fields = collection.fields ?? [];
  const current = opened?.of.field && fields.find(({ id }) => id === opened.of.field?.id);
  const show = (of: Opened | undefined) => setOpened(of && { number: (opened?.number ?? 0) + 1, of });

  function leave(then: () => void) {
    const go = () => {
      show(undefined);
      then();
    };
    if (isDirty.current) setAsked(() => go);
    else go();
  }

  const drawn = (
    <>
      {opened && (
        <div className="lg:-my-8 lg:-me-6">
          <FieldPanel
            key={opened.number}
            collection={collection}
            opened={current ? { field: current } : opened.of}
            onClose={() => show(undefined)}
            onDirty={(dirty) => (isDirty.current = dirty)}
          />
        </div>
      )}
      <LeaveDialog
        blocker={{
          status: asked ? "blocked" : "idle",
          proceed: () => {
            setAsked(undefined);
            asked?.();
          },
          reset: () => setAsked(undefined),
        }}
      />
    </>
  );
  return { drawn, current, isOpen: opened !== undefined, leave, open: (of: Opened) => leave(() => show(of)), close: () => show(undefined) };
}

function Fields({ collection, panel }: { collection: Collection; panel: ReturnType<typeof useFieldPanel> }) {
  const { t } = useLingui();
  const isWide = useMedia("(width >= 64rem)");
  const [deleted, setDeleted] = useState<ContentField>();
  const fields = collection.fields ?? [];
  const slugs = fields.map(({ slug }) => slug);

  const duplicate = (field: ContentField) => {
    const name = field.label;
    panel.open({ field: undefined, draft: { ...draftOf(field), label: t`${name} (copy)`, slug: freeIdentifier(field.slug, slugs) } });
  };
  const add = (
    <Button variant="primary" icon={<Plus />} onClick={() => panel.open({ field: undefined })}>
      <Trans>Add field</Trans>
    </Button>
  );
  return (
    <div className="flex items-start gap-6">
      <div className="grid min-w-0 grow gap-4">
        {fields.length === 0 ? (
          <Card flush>
            <EmptyState icon={<Shapes />} title={<Trans>No fields yet</Trans>} action={add}>
              <Trans>Fields are what editors fill in: a title, a text, an image, the author.</Trans>
            </EmptyState>
          </Card>
        ) : (
          <>
            <FieldList collection={collection} current={panel.current?.slug} onOpen={(field) => panel.open({ field })} onDuplicate={duplicate} onDelete={setDeleted} />
            <div>{add}</div>
          </>
        )}
        <p className="max-w-2xl text-sm text-muted">
          <Trans>Every entry also has a status, an author, a language, its dates and, if it has an address, a slug. They need no fields.</Trans>
        </p>
      </div>
      {!panel.isOpen && isWide && (
        <section aria-label={t`Preview of the form`} className="sticky top-[calc(var(--header-height)+1rem)] max-h-[calc(100dvh-var(--header-height)-2rem)] w-2/5 shrink-0 overflow-y-auto rounded-lg border border-dashed border-line-strong p-4">
          <h2 className="mb-3 text-sm font-medium text-muted">
            <Trans>What editors see</Trans>
          </h2>
          <Preview fields={fields} />
        </section>
      )}
      {deleted && (
        <DeleteField
          collection={collection}
          field={deleted}
          onClose={() => setDeleted(undefined)}
          onDeleted={() => {
            if (deleted.id === panel.current?.id) panel.close();
          }}
        />
      )}
    </div>
  );
}
