//! Delete a collection.

use cms_domain::{
    access::{Access, Permission, Scope},
    event::Event,
    slug::CollectionSlug,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{COLLECTION, Failures},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    held::{self, Held},
    trail,
    views::DeletedFromSchema,
};
use crate::entries::permanent_delete::{hold_referring, release};

/// Delete a collection.
///
/// One that has entries, in the trash or not, is kept unless `force` is true; then they go for ever, with their revisions
/// and all else that belongs to them. References to them are taken out of other collections' entries, unless a field there
/// keeps what it refers to; then nothing is deleted.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteCollection {
    /// The collection.
    pub slug: CollectionSlug,
    /// Whether its entries go with it.
    pub force: Option<bool>,
}

impl Operation for DeleteCollection {
    const ID: &'static str = "schema.delete_collection";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::delete("deleteCollection", "/schema/collections/{slug}");
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[COLLECTION, &[Code::CollectionHasContent, Code::Referenced]];
    type Output = DeletedFromSchema;

    async fn run(self, cx: &mut Cx<'_>) -> Result<DeletedFromSchema, Error> {
        let known = held::stored(cx, &self.slug).await?;
        hold_referring(cx, &known, true).await?;
        let Held { permit, collection } = Held::lock(cx, &self.slug).await?;
        let id = collection.id;
        let totals = cx.read().entries().totals(id).await?;
        if totals.entries + totals.trashed > 0 && self.force != Some(true) {
            let message = format!(
                "the collection `{}` has {} entries, and {} in the trash: remove them, or delete with `force=true`",
                self.slug, totals.entries, totals.trashed
            );
            let details = json!({ "entries": totals.entries, "trashed": totals.trashed });
            return Err(Error::with(Code::CollectionHasContent, message).details(details));
        }
        for target in cx.read().entries().referred_from_elsewhere(id).await? {
            release(cx, &permit, target, Some(id)).await?;
        }
        let tx = cx.tx().await?;
        tx.entries().remove_collection_content(&permit, id).await?;
        tx.collections().delete(&permit, id, false).await?;
        cx.emit(Event::Schema { collection: id });
        trail::collection(cx, &self.slug, &json!({ "entries": totals.entries, "trashed": totals.trashed }));
        Ok(DeletedFromSchema { deleted: true, slug: self.slug.to_string() })
    }
}
