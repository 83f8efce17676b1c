//! Data that was checked, as the text that is stored: what was checked stays checked to the row.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Field, convert::Form};
use crate::{collection::Collection, id::EntryId, json::JsonObject, slug::FieldSlug};

/// Field values that follow the rules of their collection, as JSON text. Nothing but validation makes it
/// ([`ValidData::into_json`](super::validate::ValidData::into_json)); the functions below change it in ways that need no validation, and storage
/// reads what it wrote. So whatever has a [`Document`](crate::entry::Document) has one that was checked:
///
/// ```
/// # use cms_domain::{collection::Collection, entry::{Document, Seo}, field::validate::{self, Defaults}};
/// # use serde_json::Map;
/// fn document(collection: &Collection, data: Map<String, serde_json::Value>) -> Option<Document> {
///     let data = validate::complete(collection, data, Defaults::Apply).ok()?;
///     Some(Document { data: data.into_json(), slug: None, seo: Seo::default() })
/// }
/// ```
///
/// Data that nobody checked does not compile:
///
/// ```compile_fail
/// # use cms_domain::{collection::Collection, entry::{Document, Seo}, json::JsonObject};
/// # use serde_json::Map;
/// fn document(collection: &Collection, data: Map<String, serde_json::Value>) -> Option<Document> {
///     let data = JsonObject::new(&data).ok()?;
///     Some(Document { data, slug: None, seo: Seo::default() })
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ValidJson(JsonObject);

impl ValidJson {
    /// Values that were checked, by the names that stored documents have for them.
    pub(super) fn new(members: &Map<String, Value>) -> Result<Self, serde_json::Error> {
        JsonObject::new(members).map(Self)
    }

    /// Text that was stored of data like this; an error when the row was damaged. For storage alone, as `cargo xtask tidy` holds.
    pub fn from_stored(text: String) -> Result<Self, serde_json::Error> {
        JsonObject::from_stored(text).map(Self)
    }

    /// The text as it is stored: with the names that fields have in documents, and with what deleted fields left.
    pub fn as_stored(&self) -> &JsonObject {
        &self.0
    }

    /// The values of the fields that the collection has, as text.
    pub fn shown(self, collection: &Collection) -> Result<JsonObject, serde_json::Error> {
        if collection.is_stored_as_shown() {
            return Ok(self.0);
        }
        self.0.rewritten(|name| {
            let (field, form) = collection.field_stored_as(name)?;
            Some((field.slug.as_str(), form.map(|form| Box::new(move |value| field.read(Some(form), value)) as Box<_>)))
        })
    }

    /// The values of the fields that the collection has.
    pub fn members(&self, collection: &Collection) -> Result<Map<String, Value>, serde_json::Error> {
        let stored = self.0.members()?;
        if collection.is_stored_as_shown() {
            return Ok(stored);
        }
        let mut members = Map::with_capacity(stored.len());
        for (name, value) in stored {
            let Some((field, form)) = collection.field_stored_as(&name) else { continue };
            if form.is_some() && members.contains_key(field.slug.as_str()) {
                continue;
            }
            if let Some(value) = field.read(form, value) {
                members.insert(field.slug.to_string(), value);
            }
        }
        Ok(members)
    }

    /// The value of a field.
    pub fn get(&self, field: &Field) -> Result<Option<Value>, serde_json::Error> {
        Ok(self.get_stored(field)?.and_then(|(form, value)| field.read(form, value)))
    }

    /// The value that is stored of a field, with its form where it is not that of the field's type.
    pub fn get_stored(&self, field: &Field) -> Result<Option<(Option<Form>, Value)>, serde_json::Error> {
        Ok(find(field, &self.0.members()?).map(|(_, form, value)| (form, value.clone())))
    }

    /// Values that were checked, instead of these, with what stays of these as it is stored: a value in a former form that is what is said anew, and one that
    /// says nothing that its field can hold now, unless the field has another value or `is_cleared`.
    pub(super) fn keeping(
        &self,
        collection: &Collection,
        mut members: Map<String, Value>,
        is_cleared: impl Fn(&Field) -> bool,
    ) -> Result<Self, serde_json::Error> {
        let mut retyped = collection.fields.iter().filter(|field| !field.past.is_empty()).peekable();
        // What is replaced need not be read where no field ever had another type.
        let stored = if retyped.peek().is_some() { self.0.members()? } else { Map::new() };
        for field in retyped {
            let Some((name, Some(form), value)) = find(field, &stored) else { continue };
            let (name, current) = (name.as_str(), field.stored_as.as_str());
            match (members.get(current), field.read(Some(form), value.clone())) {
                (Some(new), Some(shown)) if *new == shown => {
                    members =
                        members.into_iter().map(|one| if one.0 == current { (name.to_owned(), value.clone()) } else { one }).collect();
                }
                (None, None) if !is_cleared(field) => drop(members.insert(name.to_owned(), value.clone())),
                _ => {}
            }
        }
        Self::new(&members)
    }

    /// The same without values of fields that the collection no longer has; none when there are no such values. What stays keeps its order
    /// and its spelling.
    pub fn without_leftovers(&self, collection: &Collection) -> Result<Option<Self>, serde_json::Error> {
        let clean = self.0.only(|name| collection.field_stored_as(name).is_some())?;
        Ok((clean != self.0).then_some(Self(clean)))
    }

    /// The same with the values that other data of the collection has in some fields; none when it has them already.
    pub fn sharing<'f>(&self, fields: impl Iterator<Item = &'f Field>, with: &Self) -> Result<Option<Self>, serde_json::Error> {
        let (mut members, values) = (self.0.members()?, with.0.members()?);
        let mut changes = false;
        for field in differing(fields, &members, &values) {
            changes = true;
            let found = find(field, &values).map(|(name, _, value)| (name.as_str(), value));
            for (name, _) in field.names().filter(|(name, _)| found.is_none_or(|(kept, _)| kept != name.as_str())) {
                members.shift_remove(name.as_str());
            }
            members.extend(found.map(|(name, value)| (name.to_owned(), value.clone())));
        }
        changes.then(|| Self::new(&members)).transpose()
    }

    /// Those of some fields that have another value in other data of the collection.
    pub fn differing<'f>(&self, fields: impl Iterator<Item = &'f Field>, from: &Self) -> Result<Vec<&'f Field>, serde_json::Error> {
        Ok(differing(fields, &self.0.members()?, &from.0.members()?))
    }

    /// The same without references in some fields to entries that go; none when it has no such references.
    pub fn without_references<'f>(
        &self,
        fields: impl Iterator<Item = &'f Field>,
        targets: &BTreeSet<EntryId>,
    ) -> Result<Option<Self>, serde_json::Error> {
        let goes = |id: &Value| id.as_str().and_then(|id| id.parse().ok()).is_some_and(|id| targets.contains(&id));
        let mut members = self.0.members()?;
        let mut changes = false;
        for field in fields {
            let Some((name, form, value)) = find(field, &members) else { continue };
            let Some(mut value) = field.read(form, value.clone()) else { continue };
            let (went, is_emptied) = match &mut value {
                Value::Array(list) => {
                    let before = list.len();
                    list.retain(|id| !goes(id));
                    (list.len() < before, list.is_empty())
                }
                one => (goes(one), true),
            };
            if !went {
                continue;
            }
            changes = true;
            if form.is_some() || is_emptied {
                members.shift_remove(name.as_str());
            }
            if !is_emptied {
                members.insert(field.stored_as.to_string(), value);
            }
        }
        changes.then(|| Self::new(&members)).transpose()
    }
}

/// The value of a field among the members of a document, with the name and the form that it has there.
fn find<'f, 'm>(field: &'f Field, members: &'m Map<String, Value>) -> Option<(&'f FieldSlug, Option<Form>, &'m Value)> {
    field.names().find_map(|(name, form)| Some((name, form, members.get(name.as_str())?)))
}

/// Those of some fields that have one value here and another there, be it one that is shown or one that says nothing now.
fn differing<'f>(fields: impl Iterator<Item = &'f Field>, here: &Map<String, Value>, there: &Map<String, Value>) -> Vec<&'f Field> {
    fields
        .filter(|field| match (find(field, here), find(field, there)) {
            (Some((_, form, here)), Some((_, other, there))) if form == other => here != there,
            (Some((_, form, here)), Some((_, other, there))) => {
                let (here, there) = (field.read(form, here.clone()), field.read(other, there.clone()));
                here.is_none() || here != there
            }
            (None, None) => false,
            _ => true,
        })
        .collect()
}
