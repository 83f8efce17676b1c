//! Reading fields, and putting them in order.

use cms_domain::{
    access::{Access, Permission, Scope},
    collection::Collection,
    field::Field,
    rev::Rev,
    slug::{CollectionSlug, FieldSlug},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{COLLECTION, FIELD, Failures, STALE},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    held::{Held, stored},
    order::check_order,
    trail,
    views::{FieldItem, FieldItems, FieldView, fields_of},
};

/// List the fields of a collection.
///
/// In the order in which they are shown.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListFields {
    /// The collection.
    pub collection: CollectionSlug,
}

impl Operation for ListFields {
    const ID: &'static str = "schema.list_fields";
    const ACCESS: Access = Access::Needs(Scope::SchemaRead, Permission::SchemaRead);
    const HTTP: Http = Http::get("listFields", "/schema/collections/{collection}/fields");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[COLLECTION];
    type Output = FieldItems;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FieldItems, Error> {
        Ok(FieldItems { items: fields_of(&stored(cx, &self.collection).await?) })
    }
}

/// Get a field.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetField {
    /// The collection.
    pub collection: CollectionSlug,
    /// The field.
    pub field_slug: FieldSlug,
}

impl Operation for GetField {
    const ID: &'static str = "schema.get_field";
    const ACCESS: Access = Access::Needs(Scope::SchemaRead, Permission::SchemaRead);
    const HTTP: Http = Http::get("getField", "/schema/collections/{collection}/fields/{fieldSlug}");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[FIELD];
    type Output = FieldItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FieldItem, Error> {
        let collection = stored(cx, &self.collection).await?;
        Ok(FieldItem { item: FieldView::of(&collection, field_of(&collection, &self.field_slug)?) })
    }
}

/// Put the fields of a collection in order.
///
/// The list names each field exactly once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReorderFields {
    /// The collection.
    pub collection: CollectionSlug,
    /// The slugs, in the new order.
    pub field_slugs: Vec<FieldSlug>,
    /// Revision last read of the collection or of any of its fields; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

impl Operation for ReorderFields {
    const ID: &'static str = "schema.reorder_fields";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::post("reorderFields", "/schema/collections/{collection}/fields/reorder");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[COLLECTION, STALE, &[Code::ReorderMismatch]];
    type Output = FieldItems;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FieldItems, Error> {
        let held = Held::lock_at(cx, &self.collection, self.rev.as_ref()).await?;
        let present: Vec<_> = held.collection.fields.iter().map(|field| field.slug.clone()).collect();
        check_order(&present, &self.field_slugs)?;
        cx.tx().await?.collections().reorder_fields(&held.permit, held.collection.id, &self.field_slugs, held.now).await?;
        trail::collection(cx, &held.collection.slug, &json!({ "order": self.field_slugs }));
        let composites = held.composites();
        Ok(FieldItems { items: fields_of(&held.settle(cx, composites, None).await?) })
    }
}

/// Refuses a name for a field that means something else, or that another field has.
pub(super) fn must_be_free(collection: &Collection, slug: &FieldSlug) -> Result<(), Error> {
    if slug.is_reserved() {
        return Err(Error::with(Code::ReservedSlug, format!("`{slug}` is a member of every entry and cannot be a field")));
    }
    if collection.field(slug.as_str()).is_some() {
        return Err(Error::with(Code::FieldExists, format!("the collection `{}` has a field `{slug}`", collection.slug)));
    }
    Ok(())
}

/// The field of a collection with a slug.
pub(super) fn field_of<'a>(collection: &'a Collection, slug: &FieldSlug) -> Result<&'a Field, Error> {
    let missing = || Error::with(Code::FieldNotFound, collection.no_field(slug.as_str()));
    collection.field(slug.as_str()).ok_or_else(missing)
}

/// The answer about one field of a collection that was changed.
pub(super) fn answer(collection: &Collection, slug: &FieldSlug) -> Result<FieldItem, Error> {
    Ok(FieldItem { item: FieldView::of(collection, field_of(collection, slug)?) })
}
