//! What is asked of each entry for a field to become another: stated once, for the change and for its forecast.

use cms_domain::{
    collection::Collection,
    entry::Entry,
    field::{
        Field, FieldKind, ValidJson,
        convert::Form,
        retype::{Retype, fits, retype},
    },
    id::{CollectionId, EntryId},
    slug::CollectionSlug,
    time::Timestamp,
};
use cms_frame::Error;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::documents;

/// What names a value among those of a translation group.
pub(super) type Said = [u8; 32];

/// What is asked of each entry of a collection for one of its fields to become another.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) collection: CollectionId,
    /// The field as it is.
    pub(super) before: Field,
    /// The field as it will be.
    pub(super) after: Field,
    /// Whether values are converted that are none of the new type.
    converts: bool,
    /// Whether new values get another name in documents, beside those that are stored.
    pub(super) moves: bool,
    /// Whether translations of an entry must have the same value.
    must_be_alike: bool,
}

/// What an entry says to it.
#[derive(Debug)]
pub(super) struct Answer {
    /// What becomes of its value: of its documents, of the one that fares worse.
    pub(super) outcome: Outcome,
    /// Why the field cannot become the other one as long as values are not converted.
    pub(super) in_the_way: Option<String>,
    /// The entries that it would refer to, and does not have to be asked for now.
    pub(super) refers_to: Vec<EntryId>,
    /// What it has in each document, where translations must have the same.
    pub(super) says: Vec<Said>,
}

impl Question {
    /// What is asked for a field of a collection to become one that is read, but does not go on from it yet.
    pub(super) fn new(
        collection: &Collection,
        before: Field,
        mut after: Field,
        converts: bool,
        several_locales: bool,
        at: Timestamp,
    ) -> Self {
        let moves = goes_on_elsewhere(&before, &after, converts);
        if moves {
            after.follows(&before, collection.free_name(&before.slug), at);
        }
        let must_be_alike = before.translatable && !after.translatable && several_locales;
        Self { collection: collection.id, before, after, converts, moves, must_be_alike }
    }

    /// Whether an answer matters: otherwise no entry has to be looked at.
    pub(super) fn matters(&self) -> bool {
        self.refuses_conversions() || self.asks_for_targets() || self.must_be_alike
    }

    /// Whether values that would not stay as they are keep the field from becoming the other one.
    pub(super) fn refuses_conversions(&self) -> bool {
        !self.converts && (self.moves || self.verdict() != Retype::Free)
    }

    /// Whether entries must be there that the field would refer to. Those that it refers to already may be gone.
    pub(super) fn asks_for_targets(&self) -> bool {
        matches!(self.after.kind, FieldKind::Reference(_)) && (self.moves || self.verdict() != Retype::Free)
    }

    /// The collection that the field would refer to; none where it may be any.
    pub(super) fn target(&self) -> Option<&CollectionSlug> {
        match &self.after.kind {
            FieldKind::Reference(target) => target.collection.as_ref(),
            _ => None,
        }
    }

    /// Whether every entry has the same answer to another question.
    pub(super) fn is(&self, other: &Self) -> bool {
        // The name that new values get does not matter: values are found by those that the field has.
        let of = |one: &Self| (one.collection, one.before.id, one.before.stored_as.clone(), one.converts, one.moves, one.must_be_alike);
        let rules = |field: &Field| (field.kind.field_type(), field.validation.clone(), field.options.clone());
        let past = |field: &Field| field.past.iter().map(|past| (past.stored_as.clone(), past.form)).collect::<Vec<_>>();
        of(self) == of(other)
            && rules(&self.before) == rules(&other.before)
            && rules(&self.after) == rules(&other.after)
            && past(&self.before) == past(&other.before)
    }

    /// What an entry says.
    pub(super) fn ask(&self, entry: &Entry) -> Result<Answer, Error> {
        let mut answer = Answer { outcome: Outcome::Nothing, in_the_way: None, refers_to: Vec::new(), says: Vec::new() };
        for data in documents::of(entry) {
            let outcome = Outcome::of(data, &self.before, &self.after)?;
            let in_the_way = self.in_the_way(data, &outcome)?;
            if self.asks_for_targets() && (self.converts || in_the_way.is_none()) {
                match &outcome {
                    Outcome::Same { value } | Outcome::Converted { to: value, .. } => answer.refers_to.extend(references(value)),
                    Outcome::Nothing | Outcome::Aside { .. } => {}
                }
            }
            if self.must_be_alike {
                // A digest is kept in memory, not the value. What is kept aside counts: it may be shown again.
                let stored = data.get_stored(&self.before)?;
                let shown = |(form, value): (_, Value)| {
                    self.after.read(form_after(form, &self.before, &self.after), value.clone()).unwrap_or(value)
                };
                let value = stored.map(shown).unwrap_or_default();
                answer.says.push(Sha256::digest(value.to_string()).into());
            }
            answer.in_the_way = answer.in_the_way.or(in_the_way);
            if outcome.rank() > answer.outcome.rank() {
                answer.outcome = outcome;
            }
        }
        Ok(answer)
    }

    /// Why a document keeps the field from becoming the other one without conversions.
    fn in_the_way(&self, data: &ValidJson, outcome: &Outcome) -> Result<Option<String>, Error> {
        if goes_on_elsewhere(&self.before, &self.after, false) {
            return Ok(match outcome {
                Outcome::Nothing | Outcome::Same { .. } => None,
                Outcome::Converted { from, .. } | Outcome::Aside { from } => Some(format!("{from} would not be shown as it is")),
            });
        }
        let verdict = self.verdict();
        if verdict == Retype::Free {
            return Ok(None);
        }
        let Some(value) = data.get(&self.before)? else { return Ok(None) };
        let name = |field: &Field| field.kind.field_type().name();
        Ok(match verdict {
            Retype::Free => None,
            Retype::Never => {
                Some(format!("a value of the type {} cannot become one of the type {}", name(&self.before), name(&self.after)))
            }
            Retype::CheckValues => fits(&self.after.kind, &value).err().map(|issues| issues[0].message.clone()),
        })
    }

    fn verdict(&self) -> Retype {
        retype(&self.before.kind, &self.after.kind)
    }
}

/// Whether new values of a field are not stored beside those that it has: they would be taken for each other. So it is with values that are converted, and where
/// there may be some of former types. Where each value is one of the new type as it is, nothing has to be converted.
fn goes_on_elsewhere(before: &Field, after: &Field, converts: bool) -> bool {
    let converts = converts && retype(&before.kind, &after.kind) != Retype::Free;
    Form::of(&before.kind) != Form::of(&after.kind) && (converts || !before.past.is_empty())
}

/// What becomes of the value that a document has in a field when the field changes.
#[derive(Debug, PartialEq)]
pub(super) enum Outcome {
    /// There is none to show, before and after.
    Nothing,
    /// It stays as it is.
    Same {
        /// What it is.
        value: Value,
    },
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
    fn rank(&self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Same { .. } => 1,
            Self::Converted { .. } => 2,
            Self::Aside { .. } => 3,
        }
    }

    /// What becomes of the value in a document when a field becomes another, be it that this one goes on from it or that it keeps what is stored.
    fn of(data: &ValidJson, before: &Field, after: &Field) -> Result<Self, Error> {
        let Some((form, value)) = data.get_stored(before)? else { return Ok(Self::Nothing) };
        Ok(match (before.read(form, value.clone()), after.read(form_after(form, before, after), value)) {
            (None, None) => Self::Nothing,
            (Some(from), Some(to)) if from == to => Self::Same { value: to },
            (Some(from), None) => Self::Aside { from },
            (from, Some(to)) => Self::Converted { from: from.unwrap_or_default(), to },
        })
    }
}

/// The form in which a value is stored, once its field has become another.
fn form_after(form: Option<Form>, before: &Field, after: &Field) -> Option<Form> {
    let goes_on = after.stored_as != before.stored_as;
    if form.is_none() && goes_on { Some(Form::of(&before.kind)) } else { form }
}

/// The ids in a value of a reference.
fn references(value: &Value) -> impl Iterator<Item = EntryId> {
    let list = value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
    list.iter().filter_map(|id| id.as_str()?.parse().ok())
}
