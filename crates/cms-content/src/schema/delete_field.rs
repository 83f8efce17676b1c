//! Delete a field.

use cms_domain::{
    access::{Access, Permission, Scope},
    field::FieldKind,
    rev::Rev,
    slug::{CollectionSlug, FieldSlug},
};
use cms_frame::{
    Cx, Error,
    failures::{FIELD, Failures, STALE},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{clearing, documents::known_entries, fields::field_of, held::Held, leftovers, trail, views::DeletedFromSchema};

/// Delete a field.
///
/// Its values are gone at once for every reader, and removed from stored documents in the background. What names the
/// field, such as the title field or an index over several fields, no longer does.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteField {
    /// The collection.
    pub collection: CollectionSlug,
    /// The field.
    pub field_slug: FieldSlug,
    /// Revision last read of the collection or of any of its fields; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

impl Operation for DeleteField {
    const ID: &'static str = "schema.delete_field";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::delete("deleteField", "/schema/collections/{collection}/fields/{fieldSlug}");
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[FIELD, STALE];
    type Output = DeletedFromSchema;

    async fn run(self, cx: &mut Cx<'_>) -> Result<DeletedFromSchema, Error> {
        let mut held = Held::lock_at(cx, &self.collection, self.rev.as_ref()).await?;
        let slug = self.field_slug;
        let gone = field_of(&held.collection, &slug)?.clone();
        let field = gone.id;
        let mut composites = held.composites();
        composites.retain(|fields| !fields.contains(&slug));
        let collection = &mut held.collection;
        collection.fields.retain(|kept| kept.id != field);
        collection.updated_at = held.now;
        for named in [&mut collection.title_field, &mut collection.date_field] {
            named.take_if(|named| *named == slug);
        }
        if let Some(admin) = &mut collection.admin {
            admin.list_columns.retain(|column| *column != slug);
        }
        let (id, now) = (collection.id, held.now);
        let tx = cx.tx().await?;
        tx.collections().delete_field(&held.permit, id, field, now).await?;
        tx.collections().update(&held.permit, &held.collection).await?;
        if !tx.reader().entries().ids_of(id, None, 1).await?.is_empty() {
            tx.collections().set_leftovers(id, true).await?;
            let entries = known_entries(cx, &held.collection).await?;
            cx.enqueue(leftovers::gone(id).of(entries)).await?;
        }
        if gone.unique {
            cx.enqueue(clearing::register(gone.register.id)).await?;
        }
        if matches!(gone.kind, FieldKind::Reference(_)) {
            cx.enqueue(clearing::references(field)).await?;
        }
        trail::field(cx, &held.collection.slug, &slug, &Value::Null);
        held.settle(cx, composites, None).await?;
        Ok(DeletedFromSchema { deleted: true, slug: slug.to_string() })
    }
}
