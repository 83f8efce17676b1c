//! How a collection and a field are stored: what has a column of its own is read from there, everything else from one JSON text.

use std::borrow::Cow;

use cms_domain::{
    collection::{AdminHints, Collection, Moderation, Supports},
    field::{Field, FieldSpec, FieldType, Register, Validation},
    id::{CollectionId, FieldId},
    issue::Issue,
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What of a collection has no column.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CollectionDefinition<'a> {
    label: Cow<'a, str>,
    label_singular: Option<Cow<'a, str>>,
    description: Option<Cow<'a, str>>,
    icon: Option<Cow<'a, str>>,
    admin: Option<Cow<'a, AdminHints>>,
    supports: Cow<'a, Supports>,
    source: Cow<'a, str>,
    url_pattern: Option<Cow<'a, str>>,
    routable: bool,
    has_seo: bool,
    hidden: bool,
    title_field: Option<Cow<'a, FieldSlug>>,
    date_field: Option<Cow<'a, FieldSlug>>,
    comments_enabled: bool,
    comments_moderation: Moderation,
    comments_closed_after_days: i32,
    comments_auto_approve_users: bool,
    edit_locking: bool,
}

/// What of a collection has a column of its own.
pub(super) struct CollectionRow {
    pub(super) id: CollectionId,
    pub(super) slug: CollectionSlug,
    pub(super) sort_order: Option<i32>,
    pub(super) has_leftovers: bool,
    pub(super) version: i64,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

impl<'a> CollectionDefinition<'a> {
    pub(super) fn of(collection: &'a Collection) -> Self {
        let text = |text: &'a Option<String>| text.as_deref().map(Cow::Borrowed);
        Self {
            label: Cow::Borrowed(&collection.label),
            label_singular: text(&collection.label_singular),
            description: text(&collection.description),
            icon: text(&collection.icon),
            admin: collection.admin.as_ref().map(Cow::Borrowed),
            supports: Cow::Borrowed(&collection.supports),
            source: Cow::Borrowed(&collection.source),
            url_pattern: text(&collection.url_pattern),
            routable: collection.routable,
            has_seo: collection.has_seo,
            hidden: collection.hidden,
            title_field: collection.title_field.as_ref().map(Cow::Borrowed),
            date_field: collection.date_field.as_ref().map(Cow::Borrowed),
            comments_enabled: collection.comments_enabled,
            comments_moderation: collection.comments_moderation,
            comments_closed_after_days: collection.comments_closed_after_days,
            comments_auto_approve_users: collection.comments_auto_approve_users,
            edit_locking: collection.edit_locking,
        }
    }

    /// The collection, without fields and indexes.
    pub(super) fn with(self, row: CollectionRow) -> Collection {
        Collection {
            id: row.id,
            slug: row.slug,
            label: self.label.into_owned(),
            label_singular: self.label_singular.map(Cow::into_owned),
            description: self.description.map(Cow::into_owned),
            icon: self.icon.map(Cow::into_owned),
            admin: self.admin.map(Cow::into_owned),
            supports: self.supports.into_owned(),
            source: self.source.into_owned(),
            url_pattern: self.url_pattern.map(Cow::into_owned),
            routable: self.routable,
            has_seo: self.has_seo,
            hidden: self.hidden,
            sort_order: row.sort_order,
            title_field: self.title_field.map(Cow::into_owned),
            date_field: self.date_field.map(Cow::into_owned),
            comments_enabled: self.comments_enabled,
            comments_moderation: self.comments_moderation,
            comments_closed_after_days: self.comments_closed_after_days,
            comments_auto_approve_users: self.comments_auto_approve_users,
            edit_locking: self.edit_locking,
            fields: Vec::new(),
            indexes: Vec::new(),
            has_leftovers: row.has_leftovers,
            version: row.version,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// What of a field has no column.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FieldDefinition<'a> {
    #[serde(rename = "type")]
    field_type: FieldType,
    label: Cow<'a, str>,
    required: bool,
    unique: bool,
    default_value: Option<Cow<'a, Value>>,
    validation: Cow<'a, Validation>,
    widget: Option<Cow<'a, str>>,
    options: Cow<'a, Map<String, Value>>,
    searchable: bool,
    indexed: bool,
    translatable: bool,
    /// Left out when it is the one that a field begins with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    register: Option<Register>,
}

/// What of a field has a column of its own.
pub(super) struct FieldRow {
    pub(super) id: FieldId,
    pub(super) slug: FieldSlug,
    pub(super) sort_order: i32,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

impl<'a> FieldDefinition<'a> {
    pub(super) fn of(field: &'a Field) -> Self {
        Self {
            field_type: field.kind.field_type(),
            label: Cow::Borrowed(&field.label),
            required: field.required,
            unique: field.unique,
            default_value: field.default_value.as_ref().map(Cow::Borrowed),
            validation: Cow::Borrowed(&field.validation),
            widget: field.widget.as_deref().map(Cow::Borrowed),
            options: Cow::Borrowed(&field.options),
            searchable: field.searchable,
            indexed: field.indexed,
            translatable: field.translatable,
            register: Some(field.register).filter(|register| *register != Register::of(field.id)),
        }
    }

    /// The field, its rules read.
    pub(super) fn with(self, row: FieldRow) -> Result<Field, Vec<Issue>> {
        let spec = FieldSpec {
            slug: row.slug,
            label: self.label.into_owned(),
            field_type: self.field_type,
            required: self.required,
            unique: self.unique,
            default_value: self.default_value.map(Cow::into_owned),
            validation: self.validation.into_owned(),
            widget: self.widget.map(Cow::into_owned),
            options: self.options.into_owned(),
            searchable: self.searchable,
            indexed: self.indexed,
            translatable: self.translatable,
        };
        let field = Field::new(row.id, spec, row.sort_order, row.created_at, row.updated_at)?;
        Ok(Field { register: self.register.unwrap_or(field.register), ..field })
    }
}
