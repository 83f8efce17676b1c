//! Data that was checked, as the text that is stored: what was checked stays checked to the row.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Field;
use crate::{collection::Collection, id::EntryId, json::JsonObject};

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
        self.0.named(|name| collection.field_stored_as(name).map(|field| field.slug.as_str()))
    }

    /// The values of the fields that the collection has.
    pub fn members(&self, collection: &Collection) -> Result<Map<String, Value>, serde_json::Error> {
        let stored = self.0.members()?;
        if collection.is_stored_as_shown() {
            return Ok(stored);
        }
        let named = |(name, value): (String, Value)| Some((collection.field_stored_as(&name)?.slug.to_string(), value));
        Ok(stored.into_iter().filter_map(named).collect())
    }

    /// The value of a field.
    pub fn get(&self, field: &Field) -> Result<Option<Value>, serde_json::Error> {
        Ok(self.0.members()?.shift_remove(field.stored_as.as_str()))
    }

    /// The same without values of fields that the collection no longer has; none when there are no such values. What stays keeps its order
    /// and its spelling.
    pub fn without_leftovers(&self, collection: &Collection) -> Result<Option<Self>, serde_json::Error> {
        let clean = self.0.only(|name| collection.field_stored_as(name).is_some())?;
        Ok((clean != self.0).then_some(Self(clean)))
    }

    /// The same with the values that other data of the collection has in some fields; none when it has them already.
    pub fn sharing<'f>(&self, fields: impl Iterator<Item = &'f Field>, with: &Self) -> Result<Option<Self>, serde_json::Error> {
        let (mut members, mut values) = (self.0.members()?, with.0.members()?);
        let mut changes = false;
        for name in differing(fields, &members, &values).into_iter().map(|field| field.stored_as.as_str()) {
            changes = true;
            match values.remove(name) {
                Some(value) => members.insert(name.to_owned(), value),
                None => members.shift_remove(name),
            };
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
        for name in fields.map(|field| field.stored_as.as_str()) {
            let emptied = match members.get_mut(name) {
                Some(Value::Array(list)) => {
                    let before = list.len();
                    list.retain(|id| !goes(id));
                    changes |= list.len() < before;
                    list.is_empty() && before > 0
                }
                Some(one) => goes(one),
                None => false,
            };
            if emptied {
                members.shift_remove(name);
                changes = true;
            }
        }
        changes.then(|| Self::new(&members)).transpose()
    }
}

/// Those of some fields that have one value here and another there.
fn differing<'f>(fields: impl Iterator<Item = &'f Field>, here: &Map<String, Value>, there: &Map<String, Value>) -> Vec<&'f Field> {
    fields.filter(|field| here.get(field.stored_as.as_str()) != there.get(field.stored_as.as_str())).collect()
}
