//! Get an entry.

use cms_domain::{
    access::{Access, Visibility},
    field::FieldNames,
    locale::Locale,
    rev::Rev,
    slug::{CollectionSlug, IdOrSlug},
};
use cms_frame::{
    Cx, Error,
    failures::{ENTRY, Failures},
    input::Later,
    operation::{Http, Operation, Tool},
    topics::Subject,
};
use cms_storage::EntryStamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    LATER,
    format::Format,
    item::{Item, ItemAnswer},
    listed::signature,
    target::Target,
    wanted::{Included, Wanted},
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
    /// The fields whose values are wanted, with commas between them: `title,summary`. All of them when left out, none when empty.
    pub fields: Option<FieldNames>,
    /// Reference fields, with commas between them, whose entries are to come along in `included`.
    pub include: Option<FieldNames>,
    /// How rich text is written: as a list of blocks, or as Markdown in a text. What Markdown cannot say is in it as a block of JSON in a fence.
    #[serde(default)]
    pub format: Format,
}

/// One entry, the token that guards its state, and what came along.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EntryAnswer {
    /// The entry.
    pub item: Item,
    /// Names this state of the entry: send it with a change, and the change is refused if the entry has changed since. Only
    /// for callers who may read drafts.
    #[serde(rename = "_rev", skip_serializing_if = "Option::is_none")]
    pub rev: Option<Rev>,
    /// The entries that it refers to in the fields that `include` names, by their ids, as far as the caller may see them. Only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub included: Option<Included>,
}

impl Operation for GetEntry {
    const ID: &'static str = "content.get";
    const ACCESS: Access = Access::Reader;
    const HTTP: Http = Http::get("getContent", "/content/{collection}/{id}").cached(&[Subject::Schema, Subject::Entry, Subject::Slug]);
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[ENTRY];
    const LATER: Later = LATER;
    type Output = EntryAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<EntryAnswer, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, stamp, ItemAnswer { item, rev }) = match cx.visibility() {
            Visibility::Published => {
                let (collection, entry) = target.find_published(cx).await?;
                let (stamp, item) = (entry.stamp(), Item::of(&collection, entry)?);
                (collection, stamp, ItemAnswer { item, rev: None })
            }
            visibility @ Visibility::Working => {
                let (collection, entry) = target.find(cx).await?;
                let (stamp, answer) = (EntryStamp::of(&entry, visibility), ItemAnswer::new(&collection, entry, visibility)?);
                (collection, stamp, answer)
            }
        };
        let wanted = Wanted { fields: self.fields.as_ref(), include: self.include.as_ref(), format: self.format };
        wanted.check(&collection)?;
        cx.sign(|| self.include.is_none().then(|| signature(&collection, &[stamp], "")));
        let included = wanted.included(cx, [&item.data].into_iter()).await?;
        Ok(EntryAnswer { item: wanted.of(&collection, item)?, rev, included })
    }
}
