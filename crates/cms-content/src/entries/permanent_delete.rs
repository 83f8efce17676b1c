//! Remove an entry for ever.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cms_domain::{
    access::{Access, Permission, Scope, to},
    collection::Collection,
    entry::{Command, Document, Entry, Status},
    event::{EntryAction, Event},
    field::{Field, FieldKind, OnDelete},
    id::{CollectionId, EntryId, FieldId},
    locale::Locale,
    rev::Rev,
    slug::{CollectionSlug, IdOrSlug},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{ENTRY, Failures, GUARDED},
    operation::{Http, Operation, Tool},
};
use cms_storage::Trash;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    change::{conflict, refuse},
    delete::Deleted,
    target::{Guard, Target},
    trail,
};
use crate::{Content, schema_cache};

/// How many of the entries that keep another one are named in an answer.
pub(crate) const NAMED: usize = 10;

/// Remove an entry for ever.
///
/// Only an entry in the trash can be removed. Its revisions, its lease and its preview links go with it. References to it are
/// taken out of other entries, unless a field keeps what it refers to; then nothing is removed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PermanentDeleteEntry {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
    /// Whether to remove the entry though another user is editing it.
    #[serde(default)]
    pub override_lock: bool,
}

impl Operation for PermanentDeleteEntry {
    const ID: &'static str = "content.permanent_delete";
    const ACCESS: Access = Access::Needs(Scope::ContentWrite, Permission::ContentDeletePermanent);
    const HTTP: Http = Http::delete("permanentDeleteContent", "/content/{collection}/{id}/permanent");
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[ENTRY, GUARDED, &[Code::Referenced, Code::UniqueConflict]];
    type Output = Deleted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Deleted, Error> {
        let permit = cx.permit(to::RemoveContent)?;
        // First, because whoever holds a part of this and wants more would wait for another one who does.
        let collection = schema_cache::collection(cx, &self.collection).await?;
        hold_referring(cx, &collection, false).await?;
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.lock(cx, Trash::Only).await?;
        let guard = Guard { rev: self.rev.as_ref(), override_lock: self.override_lock };
        guard.check(cx, &collection, &entry).await?;
        entry.lifecycle.apply(Command::Remove, cx.now()).map_err(refuse)?;
        release(cx, entry.id).await?;
        cx.tx().await?.entries().remove(&permit, &entry).await?;
        trail::state(cx, &collection, &entry, &entry, EntryAction::Removed)?;
        cx.emit(Event::of_entry(None, &entry, EntryAction::Removed, false));
        Ok(Deleted { deleted: true, id: entry.id, rev: None })
    }
}

/// An entry that refers to the one that goes, and the fields in which it does.
struct Referrer {
    collection: Arc<Collection>,
    entry: Entry,
    fields: Vec<FieldId>,
}

impl Referrer {
    fn fields(&self) -> impl Iterator<Item = &Field> {
        self.collection.fields.iter().filter(|field| self.fields.contains(&field.id))
    }
}

/// Waits for those who write entries that could refer to a collection's, and keeps others from beginning to: what refers to an
/// entry when it goes is then known. The collection itself is held too, `alone` if it is to change. Nothing may be held before.
pub(crate) async fn hold_referring(cx: &mut Cx<'_>, target: &Collection, alone: bool) -> Result<(), Error> {
    let wanted = referring(cx, target, alone).await?;
    for (id, alone) in &wanted {
        let collections = cx.tx().await?.collections();
        if *alone {
            collections.hold_alone(*id).await?
        } else {
            collections.hold(*id).await?
        };
    }
    // Another server may have changed them; from here on nobody does.
    Content::of(cx.cms()).schema.forget();
    if referring(cx, target, alone).await? == wanted { Ok(()) } else { Err(Error::new(Code::Busy)) }
}

/// A collection and those that may refer to it, in the same order for everyone, and whether each is to be held alone.
async fn referring(cx: &mut Cx<'_>, target: &Collection, alone: bool) -> Result<Vec<(CollectionId, bool)>, Error> {
    let refers = |collection: &Collection| {
        collection.references().any(|field| match &field.kind {
            FieldKind::Reference(rules) => rules.collection.as_ref().is_none_or(|slug| *slug == target.slug),
            _ => false,
        })
    };
    let all = cx.tx().await?.reader().collections().all().await?;
    let wanted = all.iter().map(|collection| (collection.id, refers(collection) || alone && collection.id == target.id));
    let mut wanted: Vec<_> = wanted.filter(|(id, alone)| *alone || *id == target.id).collect();
    wanted.sort_unstable();
    Ok(wanted)
}

/// Takes the references to an entry out of all others, or refuses to.
async fn release(cx: &mut Cx<'_>, target: EntryId) -> Result<(), Error> {
    let referrers = referrers(cx, target).await?;
    let mut kept = Vec::new();
    for referrer in &referrers {
        for field in referrer.fields() {
            if keeps(field, &referrer.entry, target)? {
                kept.push(json!({ "collection": referrer.collection.slug, "id": referrer.entry.id, "field": field.slug }));
            }
        }
    }
    if !kept.is_empty() {
        let count = kept.len();
        kept.truncate(NAMED);
        let message = format!("{count} references keep the entry `{target}`: take them out first");
        return Err(Error::with(Code::Referenced, message).details(json!({ "count": count, "references": kept })));
    }
    for referrer in referrers {
        clear(cx, referrer, &BTreeSet::from([target])).await?;
    }
    Ok(())
}

/// Takes references to entries that go out of others, each of which comes with its collection.
pub(crate) async fn take_out(cx: &mut Cx<'_>, referrers: &[(EntryId, CollectionId)], targets: &BTreeSet<EntryId>) -> Result<(), Error> {
    let permit = cx.permit(to::ChangeContent)?;
    // In the order of their ids, so that two who hold several never wait for each other.
    let mut collections = BTreeMap::new();
    for id in referrers.iter().map(|(_, collection)| *collection).collect::<BTreeSet<_>>() {
        let tx = cx.tx().await?;
        tx.collections().hold(id).await?;
        if let Some(collection) = tx.reader().collections().by_id(id).await? {
            collections.insert(id, Arc::new(collection));
        }
    }
    for (id, collection) in referrers {
        let Some(collection) = collections.get(collection) else { continue };
        if let Some(entry) = cx.tx().await?.entries().lock(*id).await? {
            let fields = collection.references().map(|field| field.id).collect();
            clear(cx, Referrer { collection: Arc::clone(collection), entry, fields }, targets).await?;
        }
        // A field that is gone may have left some.
        cx.tx().await?.entries().forget_references(&permit, *id, targets).await?;
    }
    Ok(())
}

async fn referrers(cx: &mut Cx<'_>, target: EntryId) -> Result<Vec<Referrer>, Error> {
    let mut fields: BTreeMap<EntryId, Vec<FieldId>> = BTreeMap::new();
    for (field, entry) in cx.read().entries().referring(target).await? {
        fields.entry(entry).or_default().push(field);
    }
    // What goes cannot keep itself.
    fields.remove(&target);
    let mut referrers = Vec::new();
    for (id, fields) in fields {
        let Some(entry) = cx.tx().await?.entries().lock(id).await? else { continue };
        if let Some(collection) = schema_cache::collection_by_id(cx, entry.collection).await? {
            referrers.push(Referrer { collection, entry, fields });
        }
    }
    Ok(referrers)
}

/// Whether a field keeps what it refers to: because it says so, or because it must not be empty.
fn keeps(field: &Field, entry: &Entry, target: EntryId) -> Result<bool, Error> {
    let FieldKind::Reference(rules) = &field.kind else { return Ok(false) };
    if rules.on_delete == OnDelete::Restrict {
        return Ok(true);
    }
    if !field.required {
        return Ok(false);
    }
    let target = Value::String(target.to_string());
    for document in entry.contents() {
        let only = match document.data.get(field)? {
            Some(Value::Array(list)) => list.iter().all(|id| *id == target),
            Some(one) => one == target,
            None => false,
        };
        if only {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn clear(cx: &mut Cx<'_>, referrer: Referrer, targets: &BTreeSet<EntryId>) -> Result<(), Error> {
    let permit = cx.permit(to::ChangeContent)?;
    let before = &referrer.entry;
    let mut after = before.clone();
    release_from(&mut after.live, &referrer, targets)?;
    if let Some(draft) = &mut after.draft {
        release_from(draft, &referrer, targets)?;
    }
    if (&after.live, &after.draft) == (&before.live, &before.draft) {
        return Ok(());
    }
    let published = before.lifecycle.status == Status::Published;
    let public = published && before.lifecycle.deleted_at.is_none() && after.live != before.live;
    after.version += 1;
    if public || !published {
        after.updated_at = cx.now();
    }
    let stored = cx.tx().await?.entries().update(&permit, &referrer.collection, before, &after, None).await;
    stored.map_err(|error| conflict(&referrer.collection, error))?;
    cx.emit(Event::of_entry(Some(before), &after, EntryAction::Saved, public));
    Ok(())
}

/// Takes references out of a document.
fn release_from(document: &mut Document, referrer: &Referrer, targets: &BTreeSet<EntryId>) -> Result<(), Error> {
    if let Some(data) = document.data.without_references(referrer.fields(), targets)? {
        document.data = data;
    }
    Ok(())
}
