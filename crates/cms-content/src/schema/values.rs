//! Whether stored values fit a change of their field. They are looked at, and never changed.

use std::collections::HashMap;

use cms_domain::{
    field::{
        Field, FieldKind,
        retype::{Retype, fits, retype},
    },
    id::{CollectionId, EntryId, GroupId},
};
use cms_frame::{Code, Cx, Error};
use cms_storage::Repeated;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::documents::{self, Seen};

/// How many of the entries in the way an answer names.
const EXAMPLES: usize = 10;

/// An entry whose value is in the way of a change.
#[derive(Debug, Serialize)]
pub(super) struct Misfit {
    id: EntryId,
    reason: String,
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

/// Refuses a change of type that a stored value does not fit. A field without values can become anything.
pub(super) async fn check_type(cx: &Cx<'_>, collection: CollectionId, before: &Field, after: &Field) -> Result<(), Error> {
    let verdict = retype(&before.kind, &after.kind);
    if verdict == Retype::Free {
        return Ok(());
    }
    let (slug, from, to) = (after.slug.as_str(), before.kind.field_type().name(), after.kind.field_type().name());
    let mut misfits: Vec<Misfit> = Vec::new();
    let mut referred = Vec::new();
    documents::visit(cx.read(), collection, |entry, mut data| {
        let Some(value) = data.shift_remove(before.stored_as.as_str()) else { return Seen::More };
        let reason = match verdict {
            Retype::Never => Some(format!("a value of the type {from} cannot become one of the type {to}")),
            _ => fits(&after.kind, &value).err().map(|issues| issues[0].message.clone()),
        };
        match reason {
            Some(reason) if misfits.last().is_none_or(|last| last.id != entry.id) => misfits.push(Misfit { id: entry.id, reason }),
            Some(_) => {}
            None => referred.extend(references(&after.kind, &value).map(|target| (entry.id, target))),
        }
        if misfits.len() < EXAMPLES { Seen::More } else { Seen::Enough }
    })
    .await?;
    if misfits.is_empty() {
        misfits = dangling(cx, &referred).await?;
    }
    refuse(format!("stored values of the field `{slug}` cannot become {to} values as they are"), misfits)
}

/// The ids in a value of a reference.
fn references<'a>(kind: &FieldKind, value: &'a Value) -> impl Iterator<Item = EntryId> + 'a {
    let refers = matches!(kind, FieldKind::Reference(_));
    let list = value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
    list.iter().filter(move |_| refers).filter_map(|id| id.as_str()?.parse().ok())
}

/// The entries that refer to one that is not there.
async fn dangling(cx: &Cx<'_>, referred: &[(EntryId, EntryId)]) -> Result<Vec<Misfit>, Error> {
    let targets: Vec<_> = referred.iter().map(|(_, target)| *target).collect();
    let existing = cx.read().entries().existing(&targets, None).await?;
    let missing = referred.iter().filter(|(_, target)| !existing.contains(target));
    Ok(missing.take(EXAMPLES).map(|(id, target)| Misfit { id: *id, reason: format!("there is no entry `{target}`") }).collect())
}

/// Refuses to make a field the same in all translations while it is not.
pub(super) async fn check_translations(cx: &Cx<'_>, collection: CollectionId, field: &Field) -> Result<(), Error> {
    let mut known: HashMap<GroupId, [u8; 32]> = HashMap::new();
    let mut misfits: Vec<Misfit> = Vec::new();
    documents::visit(cx.read(), collection, |entry, mut data| {
        // A digest for each group is kept in memory, not each value.
        let value = data.shift_remove(field.stored_as.as_str()).unwrap_or_default();
        let digest: [u8; 32] = Sha256::digest(value.to_string()).into();
        if *known.entry(entry.group).or_insert(digest) != digest && misfits.last().is_none_or(|last| last.id != entry.id) {
            let reason = format!("another entry of the translation group `{}` has another value", entry.group);
            misfits.push(Misfit { id: entry.id, reason });
        }
        if misfits.len() < EXAMPLES { Seen::More } else { Seen::Enough }
    })
    .await?;
    refuse(format!("translations differ in the field `{}`", field.slug), misfits)
}
