//! Collections: what an editor models. A collection has fields, and entries that hold values for them.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    entry::DateField,
    field::{Field, FieldKind, convert::Form, infer::label},
    id::CollectionId,
    rev::Rev,
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
};

/// A feature that a collection supports. A feature that it does not support is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Support {
    /// Edits of a published entry are staged until they are published; without it they are public at once.
    Drafts,
    /// Each save is kept as a revision.
    Revisions,
    /// Preview links show an entry's working copy to whoever has the link.
    Preview,
    /// Entries can be published at a later time.
    Scheduling,
    /// Entries are found by full-text search.
    Search,
    /// Entries carry a title, a description and more for search engines.
    Seo,
}

impl Support {
    /// The feature as the wire spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drafts => "drafts",
            Self::Revisions => "revisions",
            Self::Preview => "preview",
            Self::Scheduling => "scheduling",
            Self::Search => "search",
            Self::Seo => "seo",
        }
    }
}

/// Features of a collection.
pub type Supports = BTreeSet<Support>;

/// What a collection supports unless it says otherwise.
pub fn default_supports() -> Supports {
    BTreeSet::from([Support::Drafts, Support::Revisions, Support::Preview, Support::Scheduling])
}

/// Which comments wait for a moderator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Moderation {
    /// All of them.
    All,
    /// The first one of each commenter.
    #[default]
    FirstTime,
    /// None.
    None,
}

/// How the admin application shows a collection.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AdminHints {
    /// Fields shown as columns of the list; at most 4.
    #[serde(default)]
    #[schemars(length(max = 4))]
    pub list_columns: Vec<FieldSlug>,
}

/// Numbers an index. Small, because each index row carries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct IndexId(pub i32);

/// Whether an index can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum IndexState {
    /// Complete and kept so.
    Ready,
    /// Existing entries are being added in the background.
    #[serde(rename_all = "camelCase")]
    Building {
        /// How many entries were added.
        done: i64,
        /// How many there were to add when the work began.
        total: i64,
        /// How many attempts failed.
        attempts: i32,
        /// Why the last attempt failed.
        last_error: Option<String>,
    },
}

/// An index over one field or, for lists that filter by some fields and sort by another or by a date of the entry, over several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Numbers the index.
    pub id: IndexId,
    /// The fields, in order. More than one make a composite index, whose last may be `updated_at` or `published_at`: no field can be
    /// called so.
    pub fields: Vec<FieldSlug>,
    /// Whether it can be used.
    pub state: IndexState,
}

impl Index {
    /// Whether the index is over several fields.
    pub fn is_composite(&self) -> bool {
        self.fields.len() > 1
    }

    /// The fields whose values make the keys: all of them but a date at the end.
    pub fn keyed(&self) -> &[FieldSlug] {
        match self.fields.split_last() {
            Some((_, keyed)) if self.date() != DateField::CreatedAt => keyed,
            _ => &self.fields,
        }
    }

    /// The date in whose order entries of one key are: that of their creation, unless the index ends in another.
    pub fn date(&self) -> DateField {
        self.fields.last().filter(|_| self.is_composite()).and_then(Self::date_named).unwrap_or(DateField::CreatedAt)
    }

    /// The date that an index may end in. Without one it ends in the date of creation.
    pub fn date_named(slug: &FieldSlug) -> Option<DateField> {
        match slug.as_str() {
            "updated_at" => Some(DateField::UpdatedAt),
            "published_at" => Some(DateField::PublishedAt),
            _ => None,
        }
    }

    /// Whether the index can be used.
    pub fn is_ready(&self) -> bool {
        self.state == IndexState::Ready
    }
}

/// A collection with its fields, in the order in which they are shown.
#[derive(Debug, Clone)]
pub struct Collection {
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
    /// Address of an entry on the site, with `{slug}` and `{id}` where they belong.
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
    /// The fields.
    pub fields: Vec<Field>,
    /// The indexes: of fields marked so, of the title and date fields, and the declared composites.
    pub indexes: Vec<Index>,
    /// Whether values of dropped fields may still be in stored documents, so that readers must leave them out.
    pub has_leftovers: bool,
    /// Counts the changes of the collection, its fields and its indexes.
    pub version: i64,
    /// When the collection was made.
    pub created_at: Timestamp,
    /// When the collection or one of its fields last changed.
    pub updated_at: Timestamp,
}

impl Collection {
    /// The token that guards what people say of the collection and its fields. What becomes of it in the background, such as an index that is
    /// complete, leaves it as it is.
    pub fn rev(&self) -> Rev {
        Rev::at(self.updated_at)
    }

    /// The most fields a collection can have. Forms beyond it are unusable; the bound keeps one entry's work bounded.
    pub const MAX_FIELDS: usize = 200;
    /// The most composite indexes a collection can have. Each costs a row for each entry.
    pub const MAX_COMPOSITES: usize = 8;
    /// The most fields a composite index can have.
    pub const MAX_COMPOSITE_FIELDS: usize = 4;
    /// Days after publication when comments close, unless a collection says otherwise.
    pub const COMMENTS_CLOSE_AFTER: i32 = 90;

    /// A collection without fields, and with what a collection has unless it says otherwise.
    pub fn new(id: CollectionId, slug: CollectionSlug, at: Timestamp) -> Self {
        Self {
            id,
            label: label(slug.as_str()),
            slug,
            label_singular: None,
            description: None,
            icon: None,
            admin: None,
            supports: default_supports(),
            source: "manual".to_owned(),
            url_pattern: None,
            routable: true,
            has_seo: false,
            hidden: false,
            sort_order: None,
            title_field: None,
            date_field: None,
            comments_enabled: false,
            comments_moderation: Moderation::default(),
            comments_closed_after_days: Self::COMMENTS_CLOSE_AFTER,
            comments_auto_approve_users: true,
            edit_locking: true,
            fields: Vec::new(),
            indexes: Vec::new(),
            has_leftovers: false,
            version: 1,
            created_at: at,
            updated_at: at,
        }
    }

    /// The field with a slug.
    pub fn field(&self, slug: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.slug.as_str() == slug)
    }

    /// The field whose values documents have under a name, with the form that they have there where it is not that of the field's type.
    pub fn field_stored_as(&self, name: &str) -> Option<(&Field, Option<Form>)> {
        self.fields.iter().find_map(|field| field.names().find(|(known, _)| known.as_str() == name).map(|(_, form)| (field, form)))
    }

    /// That there is no field of a name, for whoever asked for it.
    pub fn no_field(&self, name: &str) -> String {
        match self.fields.iter().find(|field| field.former.iter().any(|former| former.as_str() == name)) {
            Some(field) => format!("the collection `{}` has no field `{name}`, which is called `{}` now", self.slug, field.slug),
            None if name.len() <= FieldSlug::MAX_LENGTH => format!("the collection `{}` has no field `{name}`", self.slug),
            // What is longer is not worth repeating.
            None => format!("the collection `{}` has no such field", self.slug),
        }
    }

    /// Gives a field another name, which is free, in everything of the collection that names it. Says by their paths what that was, besides the field.
    /// The collection, and each field that changes, changed `at` that time.
    pub fn rename_field(&mut self, from: &FieldSlug, to: &FieldSlug, at: Timestamp) -> Vec<String> {
        self.updated_at = at;
        let mut followed = Vec::new();
        let mut follow = |name: &mut FieldSlug, path: &str| {
            if name == from {
                name.clone_from(to);
                followed.push(path.to_owned());
            }
        };
        for (name, path) in [(&mut self.title_field, "titleField"), (&mut self.date_field, "dateField")] {
            if let Some(name) = name {
                follow(name, path);
            }
        }
        for name in self.admin.iter_mut().flat_map(|admin| &mut admin.list_columns) {
            follow(name, "admin.listColumns");
        }
        for index in &mut self.indexes {
            let path = if index.is_composite() { "indexes" } else { "index" };
            for name in &mut index.fields {
                follow(name, path);
            }
        }
        for field in &mut self.fields {
            let formerly = field.former.len();
            // What one field was called can be the name of another from now on.
            field.former.retain(|former| former != to);
            let mut changes = field.former.len() < formerly;
            if field.slug == *from {
                field.slug = to.clone();
                field.former.insert(0, from.clone());
                field.former.truncate(Field::MAX_FORMER);
                changes = true;
            }
            if field.rename_in_options(from, to) {
                followed.push(format!("fields.{}.options", field.slug));
                changes = true;
            }
            if changes {
                field.updated_at = at;
            }
        }
        followed
    }

    /// Whether documents are stored as they are shown: under the names of their fields, and with nothing besides.
    pub fn is_stored_as_shown(&self) -> bool {
        !self.has_leftovers && self.fields.iter().all(|field| field.stored_as == field.slug && field.past.is_empty())
    }

    /// The name under which documents are to have the values of a new field: its own, unless another field was made with it and renamed since.
    pub fn free_name(&self, slug: &FieldSlug) -> FieldSlug {
        let mut name = slug.clone();
        let mut number = 1;
        while self.field_stored_as(name.as_str()).is_some() {
            number += 1;
            name = slug.numbered(number);
        }
        name
    }

    /// Whether the collection supports a feature.
    pub fn supports(&self, feature: Support) -> bool {
        self.supports.contains(&feature)
    }

    /// The field that names an entry: the configured one, or else a text field called `title` or `name`.
    pub fn title_field(&self) -> Option<&Field> {
        match &self.title_field {
            Some(slug) => self.field(slug.as_str()),
            None => ["title", "name"].into_iter().find_map(|slug| self.field(slug).filter(|field| field.kind.is_text())),
        }
    }

    /// What names an entry by its values: its title field, or else its `title`, or its `name`.
    pub fn title_of<'a>(&self, data: &'a Map<String, Value>) -> Option<&'a str> {
        let title_field = self.title_field().map(|field| field.slug.as_str());
        title_field.into_iter().chain(["title", "name"]).find_map(|slug| data.get(slug)?.as_str().filter(|text| !text.trim().is_empty()))
    }

    /// The field that dates an entry.
    pub fn date_field(&self) -> Option<&Field> {
        self.field(self.date_field.as_ref()?.as_str())
    }

    /// The fields that have an index of their own: those marked so, and the title and date fields.
    pub fn indexed_fields(&self) -> impl Iterator<Item = &Field> {
        let special = [self.title_field(), self.date_field()].map(|field| field.map(|field| field.id));
        self.fields.iter().filter(move |field| field.indexed || special.contains(&Some(field.id)))
    }

    /// The index over exactly one field.
    pub fn index_of(&self, slug: &str) -> Option<&Index> {
        self.indexes.iter().find(|index| !index.is_composite() && index.fields[0].as_str() == slug)
    }

    /// The fields that refer to other entries.
    pub fn references(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| matches!(field.kind, FieldKind::Reference(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{
        FieldSpec, FieldType,
        testing::{collection, spec},
    };

    fn slug(text: &str) -> FieldSlug {
        text.parse().unwrap()
    }

    #[test]
    fn a_name_in_documents_is_never_given_twice() {
        let long = "a".repeat(63);
        let mut collection = collection([spec("title", FieldType::String), FieldSpec::new(slug(&long), FieldType::String)]);
        assert_eq!(collection.free_name(&slug("body")), slug("body"));
        collection.rename_field(&slug("title"), &slug("headline"), Timestamp::MIN);
        collection.rename_field(&slug(&long), &slug("short"), Timestamp::MIN);
        assert_eq!(collection.free_name(&slug("title")), slug("title_2"));
        assert_eq!(collection.free_name(&slug(&long)), slug(&format!("{}_2", "a".repeat(61))));
        assert_eq!(collection.free_name(&slug("headline")), slug("headline"), "no document knows this name");
    }

    #[test]
    fn the_last_names_of_a_field_are_kept_and_none_that_is_taken() {
        let mut collection = collection([spec("n0", FieldType::String), spec("other", FieldType::String)]);
        for n in 0..12 {
            collection.rename_field(&slug(&format!("n{n}")), &slug(&format!("n{}", n + 1)), Timestamp::MIN);
        }
        let former = |collection: &Collection| collection.fields[0].former.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(former(&collection), ["n11", "n10", "n9", "n8", "n7", "n6", "n5", "n4", "n3", "n2"]);
        assert!(collection.no_field("n7").ends_with("which is called `n12` now"));
        collection.rename_field(&slug("other"), &slug("n7"), Timestamp::MIN);
        assert!(!former(&collection).contains(&"n7".to_owned()), "it is another field by now");
        collection.rename_field(&slug("n12"), &slug("n11"), Timestamp::MIN);
        assert_eq!(former(&collection)[..2], ["n12", "n10"], "what it is called again is no former name");
    }
}
