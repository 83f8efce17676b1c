//! List the translations of an entry.

use cms_domain::{
    access::{Access, Visibility},
    entry::{Entry, Status},
    id::{EntryId, GroupId},
    locale::Locale,
    slug::{CollectionSlug, EntrySlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{
    Cx, Error,
    failures::{ENTRY, Failures},
    operation::{Http, Operation, Tool},
    topics::{Subject, Topic},
};
use cms_storage::EntryStamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{listed::signature, target::Target};

/// List the translations of an entry, itself among them.
///
/// Callers who may not read drafts see published ones only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListTranslations {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
}

/// Entries that are translations of each other.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Translations {
    /// What they share.
    pub translation_group: GroupId,
    /// The entries, by locale; one a locale.
    pub translations: Vec<Translation>,
}

/// One of them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Translation {
    /// Identifies the entry.
    pub id: EntryId,
    /// Language of the entry.
    pub locale: Locale,
    /// Last part of the entry's address.
    pub slug: Option<EntrySlug>,
    /// Where the entry stands.
    pub status: Status,
    /// When readers last saw a change.
    pub updated_at: Timestamp,
}

impl Operation for ListTranslations {
    const ID: &'static str = "content.translations";
    const ACCESS: Access = Access::Reader;
    const HTTP: Http = Http::get("getContentTranslations", "/content/{collection}/{id}/translations").cached(&[
        Subject::Schema,
        Subject::Entry,
        Subject::Slug,
        Subject::Group,
    ]);
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[ENTRY];
    type Output = Translations;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Translations, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.find(cx).await?;
        let visibility = cx.visibility();
        cx.shows(Topic::Group(entry.group));
        let entries = cx.read().entries().translations(entry.group, visibility).await?;
        cx.sign(|| {
            let stamps: Vec<_> = entries.iter().map(|entry| EntryStamp::of(entry, visibility)).collect();
            Some(signature(&collection, &stamps, ""))
        });
        let translation = |entry: Entry| {
            let document = match visibility {
                Visibility::Published => entry.live,
                Visibility::Working => entry.draft.unwrap_or(entry.live),
            };
            Translation {
                id: entry.id,
                locale: entry.locale,
                slug: document.slug,
                status: entry.lifecycle.status,
                updated_at: entry.updated_at,
            }
        };
        Ok(Translations { translation_group: entry.group, translations: entries.into_iter().map(translation).collect() })
    }
}
