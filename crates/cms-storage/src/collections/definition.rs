//! How a collection and a field are stored: what has a column of its own is read from there, everything else from one JSON text.

use std::borrow::Cow;

use cms_domain::{
    collection::{AdminHints, Collection, Moderation, Supports},
    field::{Field, FieldSpec, FieldType, Past, Register, Validation},
    issue::Issue,
    slug::{CollectionSlug, FieldSlug},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Error, row::corrupt};

/// The names of collections. Those of collections that are not registered any more stay for what they left.
pub(crate) mod content_type {
    use cms_domain::{id::CollectionId, slug::CollectionSlug};
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "content_types")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: Stored<CollectionId>,
        pub(crate) slug: Stored<CollectionSlug>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table of ids and slugs, as archives and errors know it.
pub(crate) fn content_types() -> crate::tables::Table {
    crate::tables::Table::of::<content_type::Entity>().unique(
        "content_types_slug",
        &[content_type::Column::Slug],
        crate::Constraint::CollectionSlug,
    )
}

/// Collections that are registered.
pub(crate) mod collection {
    use cms_domain::{id::CollectionId, time::Timestamp};
    use sea_orm::entity::prelude::*;

    use super::content_type;
    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "collections")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: Stored<CollectionId>,
        /// [`super::CollectionDefinition`]
        pub(crate) definition: String,
        pub(crate) sort_order: Option<i32>,
        pub(crate) has_leftovers: bool,
        pub(crate) version: i64,
        pub(crate) created_at: Stored<Timestamp>,
        pub(crate) updated_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {
        #[sea_orm(belongs_to = "content_type::Entity", from = "Column::Id", to = "content_type::Column::Id")]
        ContentType,
    }

    impl Related<content_type::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::ContentType.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table of collections, as archives and errors know it.
pub(crate) fn collections() -> crate::tables::Table {
    crate::tables::Table::of::<collection::Entity>()
}

/// Fields of collections.
pub(crate) mod field {
    use cms_domain::{
        id::{CollectionId, FieldId},
        slug::FieldSlug,
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "fields")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: Stored<FieldId>,
        pub(crate) collection_id: Stored<CollectionId>,
        pub(crate) slug: Stored<FieldSlug>,
        pub(crate) sort_order: i32,
        /// [`super::FieldDefinition`]
        pub(crate) definition: String,
        pub(crate) created_at: Stored<Timestamp>,
        pub(crate) updated_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table of fields, as archives and errors know it.
pub(crate) fn fields() -> crate::tables::Table {
    crate::tables::Table::of::<field::Entity>().unique(
        "fields_slug",
        &[field::Column::CollectionId, field::Column::Slug],
        crate::Constraint::FieldSlug,
    )
}

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
    fn with(self, row: &collection::Model, slug: CollectionSlug) -> Collection {
        Collection {
            id: row.id.0,
            slug,
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
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
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
    /// Left out when it is the slug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stored_as: Option<Cow<'a, FieldSlug>>,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    former: Cow<'a, [FieldSlug]>,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    past: Cow<'a, [Past]>,
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
            stored_as: (field.stored_as != field.slug).then_some(Cow::Borrowed(&field.stored_as)),
            former: Cow::Borrowed(&field.former),
            past: Cow::Borrowed(&field.past),
        }
    }

    /// The field, its rules read.
    fn with(self, row: &field::Model) -> Result<Field, Vec<Issue>> {
        let spec = FieldSpec {
            slug: row.slug.0.clone(),
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
        let field = Field::new(row.id.0, spec, row.sort_order, row.created_at.0, row.updated_at.0)?;
        let stored_as = self.stored_as.map_or_else(|| field.stored_as.clone(), Cow::into_owned);
        let (former, past) = (self.former.into_owned(), self.past.into_owned());
        Ok(Field { register: self.register.unwrap_or(field.register), stored_as, former, past, ..field })
    }
}

/// A collection, without fields and indexes.
pub(super) fn read(row: &collection::Model, name: content_type::Model) -> Result<Collection, Error> {
    let definition: CollectionDefinition<'_> =
        serde_json::from_str(&row.definition).map_err(|_| corrupt("collections", "definition", row.id.0))?;
    Ok(definition.with(row, name.slug.0))
}

impl TryFrom<field::Model> for Field {
    type Error = Error;

    fn try_from(row: field::Model) -> Result<Self, Error> {
        let unreadable = || corrupt("fields", "definition", row.id.0);
        let definition: FieldDefinition<'_> = serde_json::from_str(&row.definition).map_err(|_| unreadable())?;
        definition.with(&row).map_err(|_| unreadable())
    }
}
