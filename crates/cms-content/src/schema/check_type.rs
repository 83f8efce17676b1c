//! What would become of a field's values with another type.

use cms_domain::{
    access::{Access, Permission, Scope},
    collection::Collection,
    entry::Entry,
    field::{FieldType, Validation},
    id::EntryId,
    locale::Locale,
    page::Cursor,
    patch::Patch,
    slug::{CollectionSlug, FieldSlug},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{FIELD, Failures, PAGED},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    fields::field_of,
    held::stored,
    question::{Outcome, Question},
    update_field::{UpdateField, check, replace},
    values::{EXAMPLES, missing},
};
use crate::entries::title;

/// How many entries one request looks at: less than a second on a small machine, so that whoever waits sees how far it is.
const PAGE: usize = 2_000;
/// How many entries are read at a time.
const BATCH: usize = 200;
/// The longest text that an example shows, in characters: enough to know the value by.
const SHOWN: usize = 200;

/// See what would become of a field's values with another type.
///
/// Nothing is changed. Each request looks at 2,000 entries at most, those in the trash included: the rest is told page by page, as long as there is a
/// `nextCursor`. Of an entry with a pending draft, the value that fares worse counts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckType {
    /// The collection.
    pub collection: CollectionSlug,
    /// The field.
    pub field_slug: FieldSlug,
    /// The type that it would get.
    #[serde(rename = "type")]
    pub field_type: FieldType,
    /// The rules that it would get; none when left out.
    pub validation: Option<Validation>,
    /// The options that it would get; none when left out.
    pub options: Option<Map<String, Value>>,
    /// The default value that it would get; the one that it has when left out.
    #[serde(default)]
    pub default_value: Patch<Value>,
    /// Whether no two entries of a locale might have the same value; as it is when left out.
    pub unique: Option<bool>,
    /// Whether full-text search would find the value; as it is when left out.
    pub searchable: Option<bool>,
    /// Whether lists could filter and sort by the value; as it is when left out.
    pub indexed: Option<bool>,
    /// Where to go on: `nextCursor` of the page before, with the same type.
    pub cursor: Option<Cursor>,
}

/// What would become of the values of some entries.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckedType {
    /// How many entries were looked at.
    pub entries: u64,
    /// How many of them have a value that stays as it is.
    pub same: u64,
    /// How many of them have a value that becomes another one.
    pub converted: u64,
    /// How many of them have a value that says nothing in the type, and would be kept aside.
    pub aside: u64,
    /// How many of them would refer to an entry that is not there. The change is refused as long as there is one.
    pub dangling: u64,
    /// Some of those whose values become others.
    #[schemars(length(max = EXAMPLES))]
    pub converted_examples: Vec<TypeExample>,
    /// Some of those whose values would be kept aside.
    #[schemars(length(max = EXAMPLES))]
    pub aside_examples: Vec<TypeExample>,
    /// Some of those that would refer to an entry that is not there.
    #[schemars(length(max = EXAMPLES))]
    pub dangling_examples: Vec<TypeExample>,
    /// Whether values are there that the change needs `convert` for, in these entries.
    pub needs_convert: bool,
    /// Where the next page starts; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// A value with what would become of it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypeExample {
    /// The entry.
    pub id: EntryId,
    /// Language of the entry.
    pub locale: Locale,
    /// What names the entry.
    pub title: Option<String>,
    /// The value, its JSON text cut where it is long.
    pub from: String,
    /// What it would be; null where it says nothing in the type.
    pub to: Option<String>,
}

impl Operation for CheckType {
    const ID: &'static str = "schema.check_type";
    const ACCESS: Access = Access::Needs(Scope::SchemaWrite, Permission::SchemaManage);
    const HTTP: Http = Http::post("checkType", "/schema/collections/{collection}/fields/{fieldSlug}/check-type").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[FIELD, PAGED];
    type Output = CheckedType;

    async fn run(self, cx: &mut Cx<'_>) -> Result<CheckedType, Error> {
        let mut collection = stored(cx, &self.collection).await?;
        let field = field_of(&collection, &self.field_slug)?.id;
        let list = json!([Self::ID, collection.id, field, self.field_type, self.validation, self.options]).to_string();
        let mut last: Option<EntryId> =
            self.cursor.as_ref().map(|cursor| cursor.open(&list)).transpose().map_err(|_| Error::new(Code::InvalidCursor))?;
        let question = self.change().question(cx, &collection, cx.now())?;
        replace(&mut collection, question.after.clone());
        check(cx, &collection, &question).await?;
        let mut told = CheckedType::default();
        for _ in 0..PAGE / BATCH {
            let entries = cx.read().entries().by_collection(collection.id, last, BATCH).await?;
            let mut referred = Vec::new();
            for entry in &entries {
                referred.push(told.count(&collection, entry, &question)?);
            }
            told.look_after(cx, &collection, &entries, &question, referred).await?;
            let Some(end) = entries.last().filter(|_| entries.len() == BATCH) else { return Ok(told) };
            last = Some(end.id);
        }
        told.next_cursor = last.map(|last| Cursor::seal(&list, &last)).transpose()?;
        Ok(told)
    }
}

impl CheckType {
    /// The change that this is about: with values that are converted, where they have to be.
    fn change(self) -> UpdateField {
        UpdateField {
            default_value: self.default_value,
            unique: self.unique,
            searchable: self.searchable,
            indexed: self.indexed,
            field_type: Some(self.field_type),
            convert: Some(true),
            validation: self.validation.map_or(Patch::Clear, Patch::Set),
            options: self.options.map_or(Patch::Clear, Patch::Set),
            ..UpdateField::nothing(self.collection, self.field_slug)
        }
    }
}

impl CheckedType {
    /// Counts what becomes of an entry. Gives the entries that it would refer to.
    fn count(&mut self, collection: &Collection, entry: &Entry, question: &Question) -> Result<Vec<EntryId>, Error> {
        let answer = question.ask(entry)?;
        self.entries += 1;
        self.needs_convert |= answer.in_the_way.is_some();
        let example = |from: &Value, to: Option<&Value>| TypeExample::of(collection, entry, from, to);
        match answer.outcome {
            Outcome::Nothing => {}
            Outcome::Same { .. } => self.same += 1,
            Outcome::Converted { from, to } => {
                self.converted += 1;
                if self.converted_examples.len() < EXAMPLES {
                    self.converted_examples.push(example(&from, Some(&to))?);
                }
            }
            Outcome::Aside { from } => {
                self.aside += 1;
                if self.aside_examples.len() < EXAMPLES {
                    self.aside_examples.push(example(&from, None)?);
                }
            }
        }
        Ok(answer.refers_to)
    }

    /// Counts those of some entries that would refer to one that is not there.
    async fn look_after(
        &mut self,
        cx: &Cx<'_>,
        collection: &Collection,
        entries: &[Entry],
        question: &Question,
        referred: Vec<Vec<EntryId>>,
    ) -> Result<(), Error> {
        let missing = missing(cx, question, &referred.concat()).await?;
        for (entry, referred) in entries.iter().zip(referred) {
            if let Some(gone) = referred.iter().find(|target| missing.contains(target)) {
                self.dangling += 1;
                if self.dangling_examples.len() < EXAMPLES {
                    self.dangling_examples.push(TypeExample::of(collection, entry, &json!(gone), None)?);
                }
            }
        }
        Ok(())
    }
}

impl TypeExample {
    fn of(collection: &Collection, entry: &Entry, from: &Value, to: Option<&Value>) -> Result<Self, Error> {
        Ok(Self { id: entry.id, locale: entry.locale.clone(), title: title(collection, entry)?, from: cut(from), to: to.map(cut) })
    }
}

/// The JSON text of a value, cut where it is long.
fn cut(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
