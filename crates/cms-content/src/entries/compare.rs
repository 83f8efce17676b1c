//! Compare what is published with what is being worked on.

use cms_domain::{
    access::Access,
    collection::Collection,
    entry::{Document, Entry, Seo, Status},
    id::EntryId,
    json::JsonObject,
    locale::Locale,
    slug::{CollectionSlug, EntrySlug, FieldSlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{
    Cx, Error,
    failures::{ENTRY, Failures},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{READ_DRAFTS, format::Format, item, siblings, target::Target};

/// Compare the published version of an entry with its draft, field by field.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompareEntry {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// How rich text is written: as a list of blocks, or as Markdown in a text. What Markdown cannot say is in it as a block of JSON in a fence.
    #[serde(default)]
    pub format: Format,
}

/// The published version of an entry beside its draft.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Whether publishing would change anything.
    pub has_changes: bool,
    /// What is published; null when nothing is.
    pub live: Option<Version>,
    /// What would be published; null when that is what is published already.
    pub draft: Option<Version>,
    /// What differs.
    pub changes: Vec<Difference>,
    /// The translations that publishing would change as well, in fields whose values all translations share.
    pub translations: Vec<Reached>,
}

/// A translation that is changed along.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReachedTranslation")]
pub struct Reached {
    /// The translation.
    pub id: EntryId,
    /// Its language.
    pub locale: Locale,
    /// Where it stands: one that is published changes for its readers.
    pub status: Status,
    /// When it was moved to the trash; null where it is not in it. It changes there, too.
    pub deleted_at: Option<Timestamp>,
    /// The fields that change.
    pub fields: Vec<FieldSlug>,
}

/// One version of an entry's content.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Field values; fields without a value are left out.
    pub data: JsonObject,
    /// Last part of the entry's address.
    pub slug: Option<EntrySlug>,
    /// What search engines are told; only where the collection has SEO.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seo: Option<Seo>,
    /// Publication date; null when there is none yet.
    pub published_at: Option<Timestamp>,
}

/// One value that differs.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Which value: `data.` and a field, `slug`, `publishedAt`, or `seo.` and a member.
    pub path: String,
    /// How it differs.
    pub kind: DifferenceKind,
    /// The published value; null when there is none.
    pub live: Value,
    /// The value of the draft; null when there is none.
    pub draft: Value,
}

/// How a value differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum DifferenceKind {
    /// Only the draft has a value.
    Added,
    /// Only the published version has a value.
    Removed,
    /// Both have values, and not the same.
    Changed,
}

impl Operation for CompareEntry {
    const ID: &'static str = "content.compare";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("compareContent", "/content/{collection}/{id}/compare");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[ENTRY];
    type Output = Comparison;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Comparison, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.find(cx).await?;
        let reached = siblings::reached(cx, &collection, &entry, entry.working()).await?;
        let reached = reached.into_iter().map(|(Entry { id, locale, lifecycle, .. }, fields)| Reached {
            id,
            locale,
            status: lifecycle.status,
            deleted_at: lifecycle.deleted_at,
            fields,
        });
        let state = entry.lifecycle;
        let (live, draft) = if state.status == Status::Published { (Some(entry.live), entry.draft) } else { (None, Some(entry.live)) };
        let live = live.map(|document| version(&collection, document, state.published_at)).transpose()?;
        let draft = draft.map(|document| version(&collection, document, state.working_date())).transpose()?;
        let mut changes = match &draft {
            Some(draft) => differences(&members(live.as_ref())?, &members(Some(draft))?),
            None => Vec::new(),
        };
        // What differs is what is stored: two blocks may say the same in Markdown.
        for Difference { path, live, draft, .. } in &mut changes {
            if let Some(field) = path.strip_prefix("data.") {
                self.format.show(&collection, field, live);
                self.format.show(&collection, field, draft);
            }
        }
        let written = |version: Option<Version>| {
            let written = |version: Version| Ok::<_, Error>(Version { data: self.format.shown(&collection, version.data)?, ..version });
            version.map(written).transpose()
        };
        let (live, draft) = (written(live)?, written(draft)?);
        // What was never published is a change as a whole, even while it is empty.
        Ok(Comparison { has_changes: live.is_none() || !changes.is_empty(), live, draft, changes, translations: reached.collect() })
    }
}

fn version(collection: &Collection, document: Document, published_at: Option<Timestamp>) -> Result<Version, Error> {
    let Document { data, slug, seo } = document;
    Ok(Version { data: item::values(collection, data)?, slug, seo: collection.has_seo.then_some(seo), published_at })
}

/// Every value of a version by its path.
fn members(version: Option<&Version>) -> Result<Map<String, Value>, Error> {
    let Some(version) = version else { return Ok(Map::new()) };
    let mut members: Map<_, _> = version.data.members()?.into_iter().map(|(name, value)| (format!("data.{name}"), value)).collect();
    members.insert("slug".to_owned(), serde_json::to_value(&version.slug)?);
    members.insert("publishedAt".to_owned(), serde_json::to_value(version.published_at)?);
    if let Value::Object(seo) = serde_json::to_value(&version.seo)? {
        members.extend(seo.into_iter().map(|(name, value)| (format!("seo.{name}"), value)));
    }
    Ok(members)
}

fn differences(live: &Map<String, Value>, draft: &Map<String, Value>) -> Vec<Difference> {
    let added = draft.keys().filter(|path| !live.contains_key(*path));
    live.keys()
        .chain(added)
        .filter_map(|path| {
            let of = |version: &Map<String, Value>| version.get(path).cloned().unwrap_or_default();
            let (live, draft) = (of(live), of(draft));
            let kind = match (live.is_null(), draft.is_null()) {
                _ if live == draft => return None,
                (true, _) => DifferenceKind::Added,
                (_, true) => DifferenceKind::Removed,
                _ => DifferenceKind::Changed,
            };
            Some(Difference { path: path.clone(), kind, live, draft })
        })
        .collect()
}
