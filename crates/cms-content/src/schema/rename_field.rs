//! Rename a field.

use cms_domain::{
    access::{Access, Permission, Scope},
    collection::Collection,
    rev::Rev,
    slug::{CollectionSlug, FieldSlug},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{FIELD, Failures, STALE},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    fields::{field_of, must_be_free},
    held::Held,
    trail,
    views::FieldView,
};

/// Rename a field.
///
/// All entries have their values under the new name at once, also drafts, revisions and what is in the trash: none of them is changed for that, however many
/// there are. Everything of the collection that names the field follows. Requests that use the former name are refused, and told the new one.
/// To take it back, rename it to what it was.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenameField {
    /// The collection.
    pub collection: CollectionSlug,
    /// The field, by the name that it has.
    pub field_slug: FieldSlug,
    /// The name that it gets.
    pub slug: FieldSlug,
    /// Whether to say what would follow, and change nothing; it is changed without this.
    pub dry_run: Option<bool>,
    /// Revision last read of the collection or of any of its fields; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

/// A field that was renamed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenamedField {
    /// The field as it is now; in a dry run, as it would be.
    pub item: FieldView,
    /// What of the collection named the field and follows, by paths such as `titleField`, `admin.listColumns`, `indexes` and `fields.price.options`.
    #[schemars(length(max = RenamedField::MAX_FOLLOWED))]
    pub followed: Vec<String>,
    /// Whether nothing was changed.
    pub dry_run: bool,
}

impl RenamedField {
    /// Two named fields, the columns of the list, the field's own index and those over several, and the options of each field.
    const MAX_FOLLOWED: usize = 2 + 4 + 1 + Collection::MAX_COMPOSITES + Collection::MAX_FIELDS;
}

impl Operation for RenameField {
    const ID: &'static str = "schema.rename_field";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::post("renameField", "/schema/collections/{collection}/fields/{fieldSlug}/rename");
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[FIELD, STALE, &[Code::FieldExists, Code::ReservedSlug]];
    type Output = RenamedField;

    async fn run(self, cx: &mut Cx<'_>) -> Result<RenamedField, Error> {
        let Self { collection: name, field_slug: from, slug: to, dry_run, rev } = self;
        let dry_run = dry_run.unwrap_or_default();
        let mut held = Held::lock_at(cx, &name, rev.as_ref()).await?;
        field_of(&held.collection, &from)?;
        if from == to {
            return Err(Error::issue("slug", "DUPLICATE", format!("the field is called `{to}` already")));
        }
        must_be_free(&held.collection, &to)?;
        let followed = held.collection.rename_field(&from, &to, held.now);
        let collection = if dry_run {
            held.collection
        } else {
            store(cx, &held).await?;
            trail::field(cx, &name, &to, &json!({ "from": from }));
            let composites = held.composites();
            held.settle(cx, composites, None).await?
        };
        Ok(RenamedField { item: FieldView::of(&collection, field_of(&collection, &to)?), followed, dry_run })
    }
}

/// Stores the collection, its indexes, and the fields that changed.
async fn store(cx: &mut Cx<'_>, held: &Held) -> Result<(), Error> {
    let Held { permit, collection, now } = held;
    let collections = cx.tx().await?.collections();
    collections.update(permit, collection).await?;
    for field in collection.fields.iter().filter(|field| field.updated_at == *now) {
        collections.update_field(permit, collection.id, field).await?;
    }
    for index in &collection.indexes {
        collections.rename_in_index(permit, index).await?;
    }
    Ok(())
}
