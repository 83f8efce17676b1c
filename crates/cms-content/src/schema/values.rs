//! Whether stored values fit a change of their field. They are looked at, and never changed.

use std::collections::{HashMap, HashSet};

use cms_domain::{
    field::{
        Field, FieldKind, ValidJson,
        convert::Form,
        retype::{Retype, fits, retype},
    },
    id::{CollectionId, EntryId, GroupId},
};
use cms_frame::{Code, Cx, Error};
use cms_storage::Repeated;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    documents::{self, Seen},
    held::stored,
};

/// How many of the entries in the way an answer names.
pub(super) const EXAMPLES: usize = 10;

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
    let (slug, to) = (after.slug.as_str(), after.kind.field_type().name());
    let mut misfits: Vec<Misfit> = Vec::new();
    let mut referred = Vec::new();
    documents::visit(cx.read(), collection, |entry, data| {
        let Some(value) = data.get(before)? else { return Ok(Seen::More) };
        match in_the_way(verdict, before, after, &value) {
            Some(reason) if misfits.last().is_none_or(|last| last.id != entry.id) => misfits.push(Misfit { id: entry.id, reason }),
            Some(_) => {}
            None => referred.extend(references(&after.kind, &value).map(|target| (entry.id, target))),
        }
        Ok(if misfits.len() < EXAMPLES { Seen::More } else { Seen::Enough })
    })
    .await?;
    if misfits.is_empty() {
        misfits = dangling(cx, after, &referred).await?;
    }
    refuse(
        format!("stored values of the field `{slug}` cannot become {to} values as they are: they can be converted, with `convert`"),
        misfits,
    )
}

/// Why a value keeps its field from getting another type as it is.
pub(super) fn in_the_way(verdict: Retype, before: &Field, after: &Field, value: &Value) -> Option<String> {
    let name = |field: &Field| field.kind.field_type().name();
    match verdict {
        Retype::Free => None,
        Retype::Never => Some(format!("a value of the type {} cannot become one of the type {}", name(before), name(after))),
        Retype::CheckValues => fits(&after.kind, value).err().map(|issues| issues[0].message.clone()),
    }
}

/// Refuses a change of type after which a value of the field, which has had several types, would be shown as another one or not at all.
pub(super) async fn check_same(cx: &Cx<'_>, collection: CollectionId, before: &Field, after: &Field) -> Result<(), Error> {
    let mut misfits: Vec<Misfit> = Vec::new();
    documents::visit(cx.read(), collection, |entry, data| {
        if let Outcome::Converted { from, .. } | Outcome::Aside { from } = Outcome::of(data, before, after)?
            && misfits.last().is_none_or(|last| last.id != entry.id)
        {
            misfits.push(Misfit { id: entry.id, reason: format!("{from} would not be shown as it is") });
        }
        Ok(if misfits.len() < EXAMPLES { Seen::More } else { Seen::Enough })
    })
    .await?;
    let (slug, to) = (after.slug.as_str(), after.kind.field_type().name());
    refuse(
        format!("stored values of the field `{slug}` cannot become {to} values as they are: they can be converted, with `convert`"),
        misfits,
    )
}

/// Refuses a change of type after which an entry would refer to one that is not there.
pub(super) async fn check_references(cx: &Cx<'_>, collection: CollectionId, after: &Field) -> Result<(), Error> {
    let mut referred = Vec::new();
    documents::visit(cx.read(), collection, |entry, data| {
        referred.extend(data.get(after)?.iter().flat_map(|value| references(&after.kind, value)).map(|target| (entry.id, target)));
        Ok(Seen::More)
    })
    .await?;
    refuse(format!("values of the field `{}` would refer to entries that are not there", after.slug), dangling(cx, after, &referred).await?)
}

/// What becomes of the value that a document has in a field when the field changes.
#[derive(Debug, PartialEq)]
pub(super) enum Outcome {
    /// There is none to show, before and after.
    Nothing,
    /// It stays as it is.
    Same,
    /// It becomes another value.
    Converted {
        /// What it is; null where it says nothing as long as the field is what it is.
        from: Value,
        /// What it will be.
        to: Value,
    },
    /// It will not be shown, and stays until the field has a type again in which it says something.
    Aside {
        /// What it is.
        from: Value,
    },
}

impl Outcome {
    /// How much somebody has to look at it.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Same => 1,
            Self::Converted { .. } => 2,
            Self::Aside { .. } => 3,
        }
    }

    /// What becomes of the value in a document when a field becomes another, be it that this one goes on from it or that it keeps what is stored.
    pub(super) fn of(data: &ValidJson, before: &Field, after: &Field) -> Result<Self, Error> {
        let Some((form, value)) = data.get_stored(before)? else { return Ok(Self::Nothing) };
        let goes_on = after.stored_as != before.stored_as;
        let form_after = if form.is_none() && goes_on { Some(Form::of(&before.kind)) } else { form };
        Ok(match (before.read(form, value.clone()), after.read(form_after, value)) {
            (None, None) => Self::Nothing,
            (Some(from), Some(to)) if from == to => Self::Same,
            (Some(from), None) => Self::Aside { from },
            (from, Some(to)) => Self::Converted { from: from.unwrap_or_default(), to },
        })
    }
}

/// The ids in a value of a reference.
pub(super) fn references<'a>(kind: &FieldKind, value: &'a Value) -> impl Iterator<Item = EntryId> + 'a {
    let refers = matches!(kind, FieldKind::Reference(_));
    let list = value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
    list.iter().filter(move |_| refers).filter_map(|id| id.as_str()?.parse().ok())
}

/// The entries that refer to one that is not there, or is not in the collection that the field refers to.
async fn dangling(cx: &Cx<'_>, field: &Field, referred: &[(EntryId, EntryId)]) -> Result<Vec<Misfit>, Error> {
    let targets: Vec<_> = referred.iter().map(|(_, target)| *target).collect();
    let missing = missing(cx, field, &targets).await?;
    let dangling = referred.iter().filter(|(_, target)| missing.contains(target));
    Ok(dangling
        .take(EXAMPLES)
        .map(|(id, target)| Misfit { id: *id, reason: format!("there is no entry `{target}` to refer to") })
        .collect())
}

/// Those of some entries that a field cannot refer to.
pub(super) async fn missing(cx: &Cx<'_>, field: &Field, targets: &[EntryId]) -> Result<HashSet<EntryId>, Error> {
    let FieldKind::Reference(target) = &field.kind else { return Ok(HashSet::new()) };
    let collection = match &target.collection {
        Some(slug) => Some(stored(cx, slug).await?.id),
        None => None,
    };
    let existing = cx.read().entries().existing(targets, collection).await?;
    Ok(targets.iter().copied().filter(|target| !existing.contains(target)).collect())
}

/// Refuses to make a field the same in all translations while it is not.
pub(super) async fn check_translations(cx: &Cx<'_>, collection: CollectionId, field: &Field) -> Result<(), Error> {
    let mut known: HashMap<GroupId, [u8; 32]> = HashMap::new();
    let mut misfits: Vec<Misfit> = Vec::new();
    documents::visit(cx.read(), collection, |entry, data| {
        // A digest for each group is kept in memory, not each value. What is kept aside counts: it may be shown again.
        let stored = data.get_stored(field)?;
        let value = stored.map(|(form, value)| field.read(form, value.clone()).unwrap_or(value)).unwrap_or_default();
        let digest: [u8; 32] = Sha256::digest(value.to_string()).into();
        if *known.entry(entry.group).or_insert(digest) != digest && misfits.last().is_none_or(|last| last.id != entry.id) {
            let reason = format!("another entry of the translation group `{}` has another value", entry.group);
            misfits.push(Misfit { id: entry.id, reason });
        }
        Ok(if misfits.len() < EXAMPLES { Seen::More } else { Seen::Enough })
    })
    .await?;
    refuse(format!("translations differ in the field `{}`", field.slug), misfits)
}
