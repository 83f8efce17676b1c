//! Delete a collection.

use cms_domain::{
    access::{Access, Permission, Scope},
    event::Event,
    rev::Rev,
    slug::CollectionSlug,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{COLLECTION, Failures, STALE},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    condemned,
    held::{self, Held},
    trail,
    views::DeletedFromSchema,
};
use crate::entries::permanent_delete::hold_referring;

/// How many steps of the removal a small collection's deletion does itself: one that takes references out, and one that removes entries.
const AT_ONCE: usize = 2;

/// Delete a collection.
///
/// One that has entries, in the trash or not, is kept unless `force` is true; then they go for ever, with their revisions
/// and all else that belongs to them. References to them are taken out of other collections' entries, unless a field there
/// keeps what it refers to; then nothing is deleted. Nobody finds them from then on; when they are many, a job removes them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteCollection {
    /// The collection.
    pub slug: CollectionSlug,
    /// Whether its entries go with it.
    pub force: Option<bool>,
    /// Revision last read of the collection or of any of its fields; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

impl Operation for DeleteCollection {
    const ID: &'static str = "schema.delete_collection";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::delete("deleteCollection", "/schema/collections/{slug}");
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[COLLECTION, STALE, &[Code::CollectionHasContent, Code::Referenced]];
    type Output = DeletedFromSchema;

    async fn run(self, cx: &mut Cx<'_>) -> Result<DeletedFromSchema, Error> {
        let known = held::stored(cx, &self.slug).await?;
        // Looked at while nobody waits for it.
        let totals = cx.read().entries().totals(known.id).await?;
        let has_content = totals.entries + totals.trashed > 0;
        if has_content && self.force != Some(true) {
            let message = format!(
                "the collection `{}` has {} entries, and {} in the trash: remove them, or delete with `force=true`",
                self.slug, totals.entries, totals.trashed
            );
            let details = json!({ "entries": totals.entries, "trashed": totals.trashed });
            return Err(Error::with(Code::CollectionHasContent, message).details(details));
        }
        condemned::must_not_be_kept(cx, &known).await?;
        hold_referring(cx, &known, true).await?;
        let Held { permit, collection, .. } = Held::lock_at(cx, &self.slug, self.rev.as_ref()).await?;
        let (id, tx) = (collection.id, cx.tx().await?);
        if !has_content && !tx.reader().entries().ids_of(id, None, 1).await?.is_empty() {
            return Err(Error::overtaken());
        }
        // Somebody may have referred to it since.
        condemned::must_not_be_kept(cx, &collection).await?;
        let tx = cx.tx().await?;
        tx.collections().condemn(&permit, id).await?;
        tx.views().delete_of_collection(&permit, id).await?;
        cx.emit(Event::Schema { collection: id });
        trail::collection(cx, &self.slug, &json!({ "entries": totals.entries, "trashed": totals.trashed }));
        let total = u64::try_from(totals.entries + totals.trashed).unwrap_or_default();
        // A few entries go at once, as people expect.
        let steps = if total < condemned::BATCH as u64 { AT_ONCE } else { 0 };
        let gone = condemned::gone(id, Some(self.slug.clone())).of(total);
        cx.begin(&condemned::RemoveContent, gone, steps).await?;
        Ok(DeletedFromSchema { deleted: true, slug: self.slug.to_string() })
    }
}
