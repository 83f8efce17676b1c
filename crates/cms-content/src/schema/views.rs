//! Collections, fields and indexes as callers see them.

use cms_domain::{
    collection::{AdminHints, Collection, Index, IndexState, Moderation, Supports},
    field::{Field, FieldType, Past, Validation},
    id::{CollectionId, FieldId},
    rev::Rev,
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
};
use cms_frame::{Cx, Error};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// A collection.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CollectionView {
    /// Identifies the collection.
    pub id: CollectionId,
    /// Its name in addresses. Never changes.
    pub slug: CollectionSlug,
    /// What to call the entries.
    pub label: String,
    /// What to call one entry.
    pub label_singular: Option<String>,
    /// What the collection is for.
    pub description: Option<String>,
    /// Name of a Lucide icon.
    pub icon: Option<String>,
    /// How the admin application shows the collection.
    pub admin: Option<AdminHints>,
    /// Features.
    pub supports: Supports,
    /// Where the collection came from: `manual`, `seed`, `discovered`, `template:…` or `import:…`.
    pub source: String,
    /// Path of an entry on the site, with `{slug}`, `{id}` and `{locale}` where they belong.
    pub url_pattern: Option<String>,
    /// Whether entries have an address, so that one needs a slug to be published.
    pub routable: bool,
    /// Whether entries carry SEO members.
    pub has_seo: bool,
    /// Whether the navigation leaves the collection out.
    pub hidden: bool,
    /// Place in the navigation; unset ones come last.
    pub sort_order: Option<i32>,
    /// Field that names an entry.
    pub title_field: Option<FieldSlug>,
    /// Field that dates an entry.
    pub date_field: Option<FieldSlug>,
    /// Whether entries take comments.
    pub comments_enabled: bool,
    /// Which comments wait for a moderator.
    pub comments_moderation: Moderation,
    /// Days after publication when comments close; 0 for never.
    pub comments_closed_after_days: i32,
    /// Whether comments of signed-in users need no moderator.
    pub comments_auto_approve_users: bool,
    /// Whether an editor's lease on an entry keeps others from saving it.
    pub edit_locking: bool,
    /// The declared indexes over several fields.
    pub indexes: Vec<IndexView>,
    /// When the collection was made.
    pub created_at: Timestamp,
    /// When the collection or one of its fields last changed.
    pub updated_at: Timestamp,
    /// Names this state of the collection and its fields: send it with a change, and the change is refused if somebody else was faster.
    #[serde(rename = "_rev")]
    pub rev: Rev,
    /// The fields, in the order in which they are shown; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<FieldView>>,
    /// JSON Schema (draft 2020-12) of the `data` of a new entry; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_schema: Option<Value>,
}

/// An index over several fields.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IndexView {
    /// The fields, in order.
    pub fields: Vec<FieldSlug>,
    /// Whether the index can be used.
    #[serde(flatten)]
    pub state: IndexState,
}

/// How far a field is that no two entries may have the same value in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UniqueState {
    /// Values that are written are looked at; those of entries that were there are still being looked at. Should two have the same, the field will not be
    /// unique after all, and the job says which.
    Building,
    /// No two entries have the same value.
    Ready,
}

/// A field of a collection.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldView {
    /// Identifies the field.
    pub id: FieldId,
    /// The field's collection.
    pub collection_id: CollectionId,
    /// Its name.
    pub slug: FieldSlug,
    /// What it was called before, the last name first. Whoever kept something by an earlier name finds out by this what became of the field.
    #[schemars(length(max = Field::MAX_FORMER))]
    pub former_slugs: Vec<FieldSlug>,
    /// The types that it had before and that entries may have values of, the last one first.
    #[schemars(length(max = FormerType::MAX))]
    pub former_types: Vec<FormerType>,
    /// What to call it.
    pub label: String,
    /// Its type.
    #[serde(rename = "type")]
    pub field_type: FieldType,
    /// Whether an entry must have a value.
    pub required: bool,
    /// Whether no two entries of a locale may have the same value.
    pub unique: bool,
    /// Of a unique field: whether the values of all entries are known. Null for others.
    pub unique_state: Option<UniqueState>,
    /// The value of new entries that give none.
    pub default_value: Option<Value>,
    /// Rules for values.
    pub validation: Option<Validation>,
    /// Which control the admin application shows.
    pub widget: Option<String>,
    /// Options of the type and of the control.
    pub options: Option<Map<String, Value>>,
    /// Place among the fields.
    pub sort_order: i32,
    /// Whether full-text search finds the value.
    pub searchable: bool,
    /// Whether lists can filter and sort by the value.
    pub indexed: bool,
    /// Whether translations of an entry may differ in the value.
    pub translatable: bool,
    /// The index over the field. The title and date fields have one though they are not marked as indexed.
    pub index: Option<IndexState>,
    /// When the field was made.
    pub created_at: Timestamp,
    /// When the field last changed.
    pub updated_at: Timestamp,
    /// Names this state of the field's collection: send it with a change, and the change is refused if somebody else was faster.
    #[serde(rename = "_rev")]
    pub rev: Rev,
}

/// A type that a field had. Values that are stored in it are shown as what they say in the type that the field has, and come back with this one.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormerType {
    /// The type.
    #[serde(rename = "type")]
    pub field_type: FieldType,
    /// Whether it was a list of references.
    pub allow_multiple: bool,
    /// Until when the field had it.
    pub until: Timestamp,
}

impl FormerType {
    /// Each type, and references in two forms, without the form that the field has.
    const MAX: usize = FieldType::ALL.len();
}

impl CollectionView {
    /// The collection without its fields.
    pub(super) fn of(collection: &Collection) -> Self {
        let (rev, collection) = (collection.rev(), collection.clone());
        Self {
            id: collection.id,
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
            indexes: collection.indexes.into_iter().filter(Index::is_composite).map(IndexView::from).collect(),
            created_at: collection.created_at,
            updated_at: collection.updated_at,
            rev,
            fields: None,
            data_schema: None,
        }
    }

    /// The collection with its fields.
    pub(super) fn with_fields(collection: &Collection) -> Self {
        Self { fields: Some(fields_of(collection)), ..Self::of(collection) }
    }
}

impl From<Index> for IndexView {
    fn from(index: Index) -> Self {
        Self { fields: index.fields, state: index.state }
    }
}

impl FieldView {
    pub(super) fn of(collection: &Collection, field: &Field) -> Self {
        let index = collection.index_of(field.slug.as_str()).map(|index| index.state.clone());
        let collection_id = collection.id;
        let field = field.clone();
        Self {
            id: field.id,
            collection_id,
            slug: field.slug,
            former_slugs: field.former,
            former_types: field.past.into_iter().map(FormerType::from).collect(),
            label: field.label,
            field_type: field.kind.field_type(),
            required: field.required,
            unique: field.unique,
            unique_state: field.unique.then_some(if field.register.complete { UniqueState::Ready } else { UniqueState::Building }),
            default_value: field.default_value,
            validation: Some(field.validation).filter(|validation| *validation != Validation::default()),
            widget: field.widget,
            options: Some(field.options).filter(|options| !options.is_empty()),
            sort_order: field.sort_order,
            searchable: field.searchable,
            indexed: field.indexed,
            translatable: field.translatable,
            index,
            created_at: field.created_at,
            updated_at: field.updated_at,
            rev: collection.rev(),
        }
    }
}

impl From<Past> for FormerType {
    fn from(Past { form, until, .. }: Past) -> Self {
        Self { field_type: form.field_type, allow_multiple: form.many, until }
    }
}

pub(super) fn fields_of(collection: &Collection) -> Vec<FieldView> {
    collection.fields.iter().map(|field| FieldView::of(collection, field)).collect()
}

/// One collection.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CollectionItem {
    /// The collection.
    pub item: CollectionView,
}

/// One field.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FieldItem {
    /// The field.
    pub item: FieldView,
}

/// The fields of a collection.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FieldItems {
    /// The fields, in the order in which they are shown.
    pub items: Vec<FieldView>,
}

/// The collections.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CollectionItems {
    /// The collections, in the order of the navigation.
    pub items: Vec<CollectionView>,
}

impl CollectionItems {
    /// All of them.
    pub(super) async fn all(cx: &Cx<'_>) -> Result<Self, Error> {
        let collections = cx.read().collections().all().await?;
        Ok(Self { items: collections.iter().map(CollectionView::of).collect() })
    }
}

/// It is gone.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DeletedFromSchema {
    /// Always true.
    pub deleted: bool,
    /// What it was called.
    pub slug: String,
}
