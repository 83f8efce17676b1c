//! Leftovers: values of deleted fields that are still in stored documents. Nobody is shown them, and a job takes them out.

use std::time::Duration;

use cms_domain::{
    access::{Access, Actor, to},
    event::Event,
    id::{CollectionId, EntryId},
    slug::{CollectionSlug, FieldSlug},
};
use cms_frame::{
    Code, Cx, Door, Error,
    jobs::{Job, Order, Stride, Wanted, Work},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::held::stored;

/// How many entries one transaction cleans: a writer waits for less than a tenth of a second.
const BATCH: usize = 200;
/// For how long whoever wants a field waits for leftovers that may have its name, and helps to take them out: about as long as people wait for an answer.
const HELP: Duration = Duration::from_secs(20);

/// Wanted: a collection's documents without values of deleted fields.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct LeftoversGone {
    /// The collection.
    collection: CollectionId,
}

impl Order for LeftoversGone {
    const KIND: &'static str = "content.purge_leftovers";
    const TITLE: &'static str = "Remove values of deleted fields";
}

/// Asks for leftovers to be taken out.
pub(super) fn gone(collection: CollectionId) -> Wanted<LeftoversGone> {
    Wanted::new(LeftoversGone { collection }).only(collection)
}

/// How far a collection's documents are clean.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Purged {
    /// The last entry whose documents are clean; null at the beginning, and when all are.
    pub last: Option<EntryId>,
    /// The last entry that was there at the beginning: whoever adds others knows which fields there are.
    pub until: Option<EntryId>,
    /// The fields that the collection had then, by their names in documents. When one of them is gone by now, they are clean no longer.
    pub fields: Vec<FieldSlug>,
    /// How many entries that were.
    pub entries: u64,
}

/// Takes leftovers out.
pub(super) struct PurgeLeftovers;

impl Job for PurgeLeftovers {
    type Order = LeftoversGone;
    type Checkpoint = Purged;

    async fn step(&self, work: Work<LeftoversGone, Purged>, cx: &mut Cx<'_>) -> Result<Stride<Purged>, Error> {
        let Some((name, purged)) = purge(cx, work.order.collection, work.at).await? else { return Ok(Stride::end(work.done)) };
        let done = purged.entries;
        let stride = if purged.last.is_some() { Stride::to(purged, done) } else { Stride::end(done).of(done) };
        Ok(stride.note(name.as_str()))
    }
}

/// Cleans the documents of the next entries. None: there is nothing to clean.
async fn purge(cx: &mut Cx<'_>, id: CollectionId, at: Purged) -> Result<Option<(CollectionSlug, Purged)>, Error> {
    let permit = cx.permit(to::ManageSchema)?;
    let tx = cx.tx().await?;
    // No field may come or go meanwhile: values of one that is not known would be taken for leftovers.
    tx.collections().hold(id).await?;
    let collection = tx.reader().collections().by_id(id).await?.filter(|collection| collection.has_leftovers);
    let Some(collection) = collection else { return Ok(None) };
    // None comes under the name of one that went before all is clean.
    let still = at.fields.iter().all(|field| collection.field_stored_as(field.as_str()).is_some());
    let at = if still { at } else { Purged::default() };
    let until = if at.until.is_some() { at.until } else { tx.reader().entries().last_id_of(id).await? };
    let progress = tx.entries().purge_batch(&permit, &collection, at.last, BATCH).await?;
    let last = progress.next(BATCH, until);
    if last.is_none() {
        tx.collections().set_leftovers(id, false).await?;
        cx.emit(Event::Schema { collection: id });
    }
    let fields = collection.fields.into_iter().map(|field| field.stored_as).collect();
    Ok(Some((collection.slug, Purged { last, until, fields, entries: at.entries + progress.entries })))
}

/// Take values of deleted fields out of the documents of the next entries.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CleanDocuments {
    /// The collection.
    pub collection: CollectionId,
    /// Where to go on.
    pub at: Purged,
}

impl Operation for CleanDocuments {
    const ID: &'static str = "schema.clean_documents";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = Purged;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Purged, Error> {
        Ok(purge(cx, self.collection, self.at).await?.map(|(_, purged)| purged).unwrap_or_default())
    }
}

/// Sees to it that no document has a value that a new field of the collection could be taken to have: helps the job that takes them out, in transactions of
/// its own, for as long as people wait.
pub(super) async fn out_of_the_way(cx: &Cx<'_>, slug: &CollectionSlug) -> Result<(), Error> {
    let until = Instant::now() + HELP;
    let mut at = Purged::default();
    loop {
        let collection = stored(cx, slug).await?;
        if !collection.has_leftovers {
            return Ok(());
        }
        if Instant::now() >= until {
            let message = format!(
                "values of deleted fields are still being taken out of the entries of `{slug}`, which may have the name of this one: ask for it again when the \
                 job \"{}\" is done",
                LeftoversGone::TITLE
            );
            return Err(Error::with(Code::LeftoversPending, message));
        }
        at = cx.cms().invoke(&Actor::System, Door::Local, CleanDocuments { collection: collection.id, at }).await?;
    }
}
