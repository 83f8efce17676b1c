//! What a reading wants of entries: which of their values, and which of the entries that they refer to.

use std::collections::{BTreeMap, BTreeSet};

use cms_domain::{
    collection::Collection,
    field::{FieldKind, FieldNames},
    issue::Issue,
    json::JsonObject,
};
use cms_frame::{Cx, Error, topics::Topic};
use serde_json::Value;

use super::{format::Format, item::Item, references};
use crate::schema_cache;

/// How many entries one answer includes: two for each of the largest page, so that an answer takes no more than three pages do.
const INCLUDED: usize = 200;

/// The entries that an answer includes, by their ids.
pub(super) type Included = BTreeMap<String, Item>;

/// What a reading wants.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// The fields whose values are shown; all without it.
    pub(super) fields: Option<&'a FieldNames>,
    /// The fields whose references are included.
    pub(super) include: Option<&'a FieldNames>,
    /// How rich text is written, in what comes along as well.
    pub(super) format: Format,
}

impl Wanted<'_> {
    /// What is shown of an entry of a collection.
    pub(super) fn of(self, collection: &Collection, item: Item) -> Result<Item, Error> {
        item.only(self.fields.map(FieldNames::as_set).as_ref())?.written(self.format, collection)
    }

    /// Refuses names of fields that the collection does not have, or that refer to nothing.
    pub(super) fn check(self, collection: &Collection) -> Result<(), Error> {
        let unknown = |path, name: &str| {
            let known = collection.field(name).is_some();
            (!known).then(|| Issue::new(path, "UNKNOWN_FIELD", collection.no_field(name)))
        };
        let unfit = |name: &str| {
            let field = collection.field(name)?;
            let problem = format!("`{name}` is a {} field, which refers to no entry", field.kind.field_type().name());
            (!matches!(field.kind, FieldKind::Reference(_))).then(|| Issue::new("include", "FIELD_NOT_REFERENCE", problem))
        };
        let fields = self.fields.into_iter().flat_map(FieldNames::iter).filter_map(|name| unknown("fields", name));
        let include =
            self.include.into_iter().flat_map(FieldNames::iter).filter_map(|name| unknown("include", name).or_else(|| unfit(name)));
        let issues: Vec<_> = fields.chain(include).collect();
        if issues.is_empty() { Ok(()) } else { Err(Error::invalid(issues)) }
    }

    /// The entries that some values refer to in the fields that are included, as far as the caller may see them.
    pub(super) async fn included<'d>(
        self,
        cx: &Cx<'_>,
        documents: impl Iterator<Item = &'d JsonObject>,
    ) -> Result<Option<Included>, Error> {
        let Some(include) = self.include.map(FieldNames::as_set) else { return Ok(None) };
        let mut ids = BTreeSet::new();
        for document in documents {
            let members = document.only(|name| include.contains(name))?.members()?;
            ids.extend(members.values().flat_map(|value: &Value| references::named(value, "")).map(|(_, id)| id));
        }
        if ids.len() > INCLUDED {
            let problem = format!("the entries refer to {} others, and {INCLUDED} are included at most: ask for a smaller page", ids.len());
            return Err(Error::issue("include", "TOO_MANY", problem));
        }
        for id in &ids {
            cx.shows(Topic::Entry(*id));
        }
        let visibility = cx.visibility();
        let mut included = Included::new();
        let ids: Vec<_> = ids.into_iter().collect();
        let Some(entries) = cx.read().entries().visible_together(visibility, &ids).await? else {
            let problem = format!(
                "the {} entries that they refer to are too large for one answer: ask for a smaller page, or read them by themselves",
                ids.len()
            );
            return Err(Error::issue("include", "TOO_LARGE", problem));
        };
        for entry in entries {
            // One whose collection goes away at this moment goes with it.
            let Some(collection) = schema_cache::collection_by_id(cx, entry.collection).await? else { continue };
            included.insert(entry.id.to_string(), Item::new(&collection, entry, visibility)?.written(self.format, &collection)?);
        }
        Ok(Some(included))
    }
}
