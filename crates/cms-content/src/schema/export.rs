//! The whole model at once: as JSON with a digest of everything in it, and as TypeScript.

use cms_domain::{
    access::{Access, Permission, Scope},
    collection::{AdminHints, Collection, Index, Moderation, Supports},
    field::{Field, FieldType, Validation},
    slug::{CollectionSlug, FieldSlug},
    typescript::typescript,
};
use cms_frame::{
    Cx, Error,
    operation::{Http, Operation, PlainText, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::input::Composite;

/// Export the collections and their fields.
///
/// Without ids and dates: two sites with the same model export the same text.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExportSchema {
    /// As what: `json` unless it says `typescript`, which REST answers as the plain source text.
    #[serde(default)]
    pub format: ExportFormat,
}

/// As what collections are exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// The collections and their fields.
    #[default]
    Json,
    /// TypeScript types of the entries.
    Typescript,
}

/// What was exported.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Exported {
    /// The collections and their fields.
    Schema(ExportedSchema),
    /// TypeScript types of the entries.
    Types(ExportedTypes),
}

/// The collections and their fields.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExportedSchema {
    /// The collections, by slug.
    pub collections: Vec<ExportedCollection>,
    /// SHA-256 of the JSON text of `collections`, in hexadecimal digits: it changes with anything in it.
    pub version: String,
}

/// A collection without what differs from site to site.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the members are those of a collection")]
pub struct ExportedCollection {
    pub slug: CollectionSlug,
    pub label: String,
    pub label_singular: Option<String>,
    pub description: Option<String>,
    pub icon: Option<String>,
    pub admin: Option<AdminHints>,
    pub supports: Supports,
    pub source: String,
    pub url_pattern: Option<String>,
    pub routable: bool,
    pub has_seo: bool,
    pub hidden: bool,
    pub sort_order: Option<i32>,
    pub title_field: Option<FieldSlug>,
    pub date_field: Option<FieldSlug>,
    pub comments_enabled: bool,
    pub comments_moderation: Moderation,
    pub comments_closed_after_days: i32,
    pub comments_auto_approve_users: bool,
    pub edit_locking: bool,
    pub indexes: Vec<Composite>,
    pub fields: Vec<ExportedField>,
}

/// A field without what differs from site to site.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the members are those of a field")]
pub struct ExportedField {
    pub slug: FieldSlug,
    pub label: String,
    #[serde(rename = "type")]
    pub field_type: FieldType,
    pub required: bool,
    pub unique: bool,
    pub default_value: Option<Value>,
    pub validation: Validation,
    pub widget: Option<String>,
    pub options: Map<String, Value>,
    pub sort_order: i32,
    pub searchable: bool,
    pub indexed: bool,
    pub translatable: bool,
}

impl Operation for ExportSchema {
    const ID: &'static str = "schema.export";
    const ACCESS: Access = Access::Needs(Scope::SchemaRead, Permission::SchemaRead);
    const HTTP: Http = Http::get("exportSchema", "/schema")
        .internal()
        .text(PlainText { member: "typescript", media_type: "text/typescript; charset=utf-8" });
    const TOOL: Tool = Tool::Hidden;
    type Output = Exported;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Exported, Error> {
        if self.format == ExportFormat::Typescript {
            return Ok(Exported::Types(types(cx).await?));
        }
        Ok(Exported::Schema(model(cx).await?))
    }
}

/// The model that there is.
pub(super) async fn model(cx: &Cx<'_>) -> Result<ExportedSchema, Error> {
    of(cx.read().collections().all().await?)
}

/// Collections as they are exported.
pub(super) fn of(collections: Vec<Collection>) -> Result<ExportedSchema, Error> {
    let mut collections: Vec<ExportedCollection> = collections.into_iter().map(exported).collect();
    collections.sort_by(|a, b| a.slug.cmp(&b.slug));
    let version = format!("{:x}", Sha256::digest(serde_json::to_vec(&collections)?));
    Ok(ExportedSchema { collections, version })
}

pub(super) fn exported(collection: Collection) -> ExportedCollection {
    let indexes = collection.indexes.into_iter().filter(Index::is_composite).map(|index| index.fields);
    ExportedCollection {
        slug: collection.slug,
        label: collection.label,
        label_singular: collection.label_singular,
        description: collection.description,
        icon: collection.icon,
        admin: collection.admin,
        supports: collection.supports,
        source: collection.source,
        url_pattern: collection.url_pattern,
        routable: collection.routable,
        has_seo: collection.has_seo,
        hidden: collection.hidden,
        sort_order: collection.sort_order,
        title_field: collection.title_field,
        date_field: collection.date_field,
        comments_enabled: collection.comments_enabled,
        comments_moderation: collection.comments_moderation,
        comments_closed_after_days: collection.comments_closed_after_days,
        comments_auto_approve_users: collection.comments_auto_approve_users,
        edit_locking: collection.edit_locking,
        indexes: composites(indexes),
        fields: collection.fields.into_iter().map(exported_field).collect(),
    }
}

/// Indexes over several fields, in an order that says nothing of when they were made.
pub(super) fn composites(indexes: impl IntoIterator<Item = Vec<FieldSlug>>) -> Vec<Composite> {
    let mut indexes: Vec<_> = indexes.into_iter().collect();
    indexes.sort();
    indexes.into_iter().map(|fields| Composite { fields }).collect()
}

fn exported_field(field: Field) -> ExportedField {
    ExportedField {
        slug: field.slug,
        label: field.label,
        field_type: field.kind.field_type(),
        required: field.required,
        unique: field.unique,
        default_value: field.default_value,
        validation: field.validation,
        widget: field.widget,
        options: field.options,
        sort_order: field.sort_order,
        searchable: field.searchable,
        indexed: field.indexed,
        translatable: field.translatable,
    }
}

/// Export the collections as TypeScript types.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExportTypes {}

/// TypeScript types of the collections.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExportedTypes {
    /// The source text.
    pub typescript: String,
}

impl Operation for ExportTypes {
    const ID: &'static str = "schema.typescript";
    const ACCESS: Access = Access::Needs(Scope::SchemaRead, Permission::SchemaRead);
    const HTTP: Http = Http::get("exportTypes", "/schema/types").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = ExportedTypes;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ExportedTypes, Error> {
        types(cx).await
    }
}

async fn types(cx: &Cx<'_>) -> Result<ExportedTypes, Error> {
    Ok(ExportedTypes { typescript: typescript(&cx.read().collections().all().await?) })
}
