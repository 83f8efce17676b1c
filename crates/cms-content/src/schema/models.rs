//! What entries are made of, for whoever writes them. Programs read the same with the scope `schema:read`, which takes an editor; an author's screen could not
//! show a single field without it.

use cms_domain::{
    access::{Access, Permission, Scope},
    slug::CollectionSlug,
};
use cms_frame::{
    Cx, Error,
    failures::{COLLECTION, Failures},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    held::stored,
    views::{CollectionItem, CollectionItems, CollectionView},
};

/// List the collections, for whoever writes entries.
///
/// In the order of the navigation, without their fields.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListModels {}

impl Operation for ListModels {
    const ID: &'static str = "schema.list_models";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::ContentReadDrafts);
    const HTTP: Http = Http::get("listModels", "/models").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = CollectionItems;

    async fn run(self, cx: &mut Cx<'_>) -> Result<CollectionItems, Error> {
        CollectionItems::all(cx).await
    }
}

/// Get a collection with its fields, for whoever writes its entries.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetModel {
    /// The collection.
    pub slug: CollectionSlug,
}

impl Operation for GetModel {
    const ID: &'static str = "schema.get_model";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::ContentReadDrafts);
    const HTTP: Http = Http::get("getModel", "/models/{slug}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[COLLECTION];
    type Output = CollectionItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<CollectionItem, Error> {
        Ok(CollectionItem { item: CollectionView::with_fields(&stored(cx, &self.slug).await?) })
    }
}
