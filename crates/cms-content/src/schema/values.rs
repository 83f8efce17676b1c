//! Entries whose values are in the way of a change of their field.

use std::collections::HashSet;

use cms_domain::id::EntryId;
use cms_frame::{Code, Cx, Error};
use cms_storage::Repeated;
use serde::Serialize;
use serde_json::json;

use super::question::Question;

/// How many of the entries in the way an answer names.
pub(super) const EXAMPLES: usize = 10;

/// An entry whose value is in the way of a change.
#[derive(Debug, Serialize)]
pub(super) struct Misfit {
    pub(super) id: EntryId,
    pub(super) reason: String,
}

impl From<Repeated> for Misfit {
    fn from(repeated: Repeated) -> Self {
        Self { id: repeated.entry, reason: repeats(repeated.owner) }
    }
}

/// What is said of an entry whose value another one has.
pub(super) fn repeats(owner: Option<EntryId>) -> String {
    owner.map_or_else(|| "another entry has the same value".to_owned(), |owner| format!("the entry `{owner}` has the same value"))
}

pub(super) fn refuse(message: String, mut misfits: Vec<Misfit>) -> Result<(), Error> {
    misfits.truncate(EXAMPLES);
    if misfits.is_empty() { Ok(()) } else { Err(Error::with(Code::FieldHasValues, message).details(json!({ "entries": misfits }))) }
}

/// Those of some entries that a field could not refer to.
pub(super) async fn missing(cx: &Cx<'_>, question: &Question, targets: &[EntryId]) -> Result<HashSet<EntryId>, Error> {
    if targets.is_empty() {
        return Ok(HashSet::new());
    }
    let collection = match question.target() {
        Some(slug) => match cx.read().collections().by_slug(slug).await? {
            Some(collection) => Some(collection.id),
            None => return Ok(targets.iter().copied().collect()),
        },
        None => None,
    };
    let existing = cx.read().entries().existing(targets, collection).await?;
    Ok(targets.iter().copied().filter(|target| !existing.contains(target)).collect())
}
