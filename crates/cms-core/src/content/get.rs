//! Get an entry.

use cms_domain::{
    access::Access,
    locale::Locale,
    slug::{CollectionSlug, IdOrSlug},
};
use cms_storage::EntryStamp;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{LATER, item::ItemAnswer, listed::signature, target::Target};
use crate::{
    Cx, Error,
    failures::{ENTRY, Failures},
    input::Later,
    operation::{Http, Operation, Tool},
    topics::Subject,
};

/// Get an entry.
///
/// Callers who may read drafts get the working copy, with the published values beside it while a draft is pending. All others
/// get published values of published entries; other entries do not exist for them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetEntry {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up. Without one the default locale goes first.
    pub locale: Option<Locale>,
}

impl Operation for GetEntry {
    const ID: &'static str = "content.get";
    const ACCESS: Access = Access::Reader;
    const HTTP: Http = Http::get("getContent", "/content/{collection}/{id}").cached(&[Subject::Schema, Subject::Entry, Subject::Slug]);
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[ENTRY];
    const LATER: Later = LATER;
    type Output = ItemAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ItemAnswer, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.find(cx).await?;
        cx.sign(signature(&collection, &[EntryStamp::of(&entry)], ""));
        ItemAnswer::new(&collection, entry, cx.visibility())
    }
}
