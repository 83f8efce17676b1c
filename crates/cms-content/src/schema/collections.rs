//! Reading collections, and putting them in order.

use cms_domain::{
    access::{Access, Permission, Scope, to},
    event::Event,
    field::json_schema::json_schema,
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
    held::stored,
    order::check_order,
    views::{CollectionItem, CollectionItems, CollectionView},
};

/// List the collections.
///
/// In the order of the navigation, without their fields.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListCollections {}

impl Operation for ListCollections {
    const ID: &'static str = "schema.list_collections";
    const ACCESS: Access = Access::Needs(Scope::SchemaRead, Permission::SchemaRead);
    const HTTP: Http = Http::get("listCollections", "/schema/collections");
    const TOOL: Tool = Tool::Read;
    type Output = CollectionItems;

    async fn run(self, cx: &mut Cx<'_>) -> Result<CollectionItems, Error> {
        CollectionItems::all(cx).await
    }
}

/// Get a collection with its fields.
///
/// With `includeSchema` also the JSON Schema that the `data` of a new entry must follow.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetCollection {
    /// The collection.
    pub slug: CollectionSlug,
    /// Whether the answer has the fields; it has unless this is false.
    pub include_fields: Option<bool>,
    /// Whether the answer has the JSON Schema of `data`.
    pub include_schema: Option<bool>,
}

impl Operation for GetCollection {
    const ID: &'static str = "schema.get_collection";
    const ACCESS: Access = Access::Needs(Scope::SchemaRead, Permission::SchemaRead);
    const HTTP: Http = Http::get("getCollection", "/schema/collections/{slug}");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[COLLECTION];
    type Output = CollectionItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<CollectionItem, Error> {
        let collection = stored(cx, &self.slug).await?;
        let mut item = match self.include_fields {
            Some(false) => CollectionView::of(&collection),
            _ => CollectionView::with_fields(&collection),
        };
        item.data_schema = self.include_schema.unwrap_or(false).then(|| json_schema(&collection));
        Ok(CollectionItem { item })
    }
}

/// Put the collections in order.
///
/// The list names each collection exactly once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReorderCollections {
    /// The slugs, in the new order of the navigation.
    pub slugs: Vec<CollectionSlug>,
}

impl Operation for ReorderCollections {
    const ID: &'static str = "schema.reorder_collections";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::post("reorderCollections", "/schema/collections/reorder");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[&[Code::ReorderMismatch]];
    type Output = CollectionItems;

    async fn run(self, cx: &mut Cx<'_>) -> Result<CollectionItems, Error> {
        let permit = cx.permit(to::ManageSchema)?;
        let asked_at = cx.now();
        let tx = cx.tx().await?;
        // Always in the order of their ids, so that two servers that reorder do not wait for each other.
        let mut ids: Vec<_> = tx.reader().collections().all().await?.into_iter().map(|collection| collection.id).collect();
        ids.sort_unstable();
        for id in &ids {
            tx.collections().hold_alone(*id).await?;
        }
        let all = tx.reader().collections().all().await?;
        let now = all.iter().fold(asked_at, |now, collection| now.later_than(collection.updated_at));
        let present: Vec<_> = all.into_iter().map(|collection| collection.slug).collect();
        check_order(&present, &self.slugs)?;
        tx.collections().reorder(&permit, &self.slugs, now).await?;
        for collection in ids {
            cx.emit(Event::Schema { collection });
        }
        cx.audit("collection", "", &json!({ "order": self.slugs }));
        CollectionItems::all(cx).await
    }
}
