//! References: whether what an entry refers to is there.

use std::collections::HashSet;

use cms_domain::{collection::Collection, entry::Document, field::FieldKind, id::EntryId, issue::Issue};
use cms_frame::{Code, Cx, Error};
use serde_json::{Map, Value};

use crate::schema_cache;

/// Reports every reference in `data` to an entry that is not in the field's collection, or is in the trash.
///
/// Only fields for which `asked` holds are looked at.
pub(super) async fn missing(
    cx: &Cx<'_>,
    collection: &Collection,
    data: &Map<String, Value>,
    asked: impl Fn(&str) -> bool,
) -> Result<Vec<Issue>, Error> {
    let mut issues = Vec::new();
    for field in collection.references() {
        let FieldKind::Reference(target) = &field.kind else { continue };
        let Some(value) = data.get(field.slug.as_str()).filter(|_| asked(field.slug.as_str())) else { continue };
        let path = format!("data.{}", field.slug);
        let named = named(value, &path);
        if named.is_empty() {
            continue;
        }
        let place = match &target.collection {
            None => Some(None),
            Some(slug) => match schema_cache::collection(cx, slug).await {
                Ok(collection) => Some(Some(collection.id)),
                Err(error) if error.code() == Code::CollectionNotFound => None,
                Err(error) => return Err(error),
            },
        };
        let ids: Vec<_> = named.iter().map(|(_, id)| *id).collect();
        let existing = match place {
            Some(place) => cx.read().entries().existing(&ids, place).await?,
            None => HashSet::new(),
        };
        let place = target.collection.as_ref().map_or_else(String::new, |slug| format!(" in the collection `{slug}`"));
        for (path, id) in named {
            if !existing.contains(&id) {
                issues.push(Issue::new(path, "REFERENCE_NOT_FOUND", format!("there is no entry `{id}`{place}")));
            }
        }
    }
    Ok(issues)
}

/// Refuses what refers, by a value that it did not have before, to something that is gone by now. Asked in the transaction that writes it, which keeps
/// others from removing for ever what it may refer to: it was there when the change was prepared.
pub(super) async fn must_exist(cx: &Cx<'_>, collection: &Collection, before: Option<&Document>, after: &Document) -> Result<(), Error> {
    if collection.references().next().is_none() || before.is_some_and(|before| before.data == after.data) {
        return Ok(());
    }
    let before = before.map(|before| before.data.members(collection)).transpose()?.unwrap_or_default();
    let after = after.data.members(collection)?;
    let issues = missing(cx, collection, &after, |field| after.get(field) != before.get(field)).await?;
    if issues.is_empty() { Ok(()) } else { Err(Error::invalid(issues)) }
}

/// The ids in a reference's value, each with its path.
pub(super) fn named(value: &Value, path: &str) -> Vec<(String, EntryId)> {
    let id = |value: &Value| value.as_str().and_then(|text| text.parse().ok());
    match value {
        Value::Array(list) => list.iter().enumerate().filter_map(|(n, value)| Some((format!("{path}.{n}"), id(value)?))).collect(),
        one => id(one).map(|id| (path.to_owned(), id)).into_iter().collect(),
    }
}
