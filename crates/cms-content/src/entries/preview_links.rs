//! The preview links of an entry: listed, and revoked by whoever made them and by whoever may edit the entry.

use std::collections::{BTreeMap, btree_map::Entry};

use cms_domain::{
    access::{Access, Permission, Scope, to},
    id::{PreviewId, UserId},
    locale::Locale,
    slug::{CollectionSlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{ENTRY, Failures},
    operation::{Http, Operation, Tool},
};
use cms_storage::{PreviewLink, Trash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use super::{EDIT, READ_DRAFTS, preview::sees, target::Target, trail};

/// List the preview links of an entry.
///
/// Those that are good, the newest first; there are at most 50. Their secrets are not shown again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListPreviews {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
}

/// Preview links.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PreviewList {
    /// The links, the newest first.
    pub items: Vec<PreviewView>,
}

/// What is known of a preview link.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewView {
    /// Identifies the link.
    pub id: PreviewId,
    /// Who made it; null when it was the operator.
    pub user_id: Option<UserId>,
    /// What it was made with, and ends with.
    pub made_with: MadeWith,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// What a preview link was made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum MadeWith {
    /// An access token: the link ends with it.
    Token,
    /// What an application was granted: the link ends with it.
    Application,
    /// Neither: somebody was signed in, or it was the operator.
    Session,
}

impl From<PreviewLink> for PreviewView {
    fn from(link: PreviewLink) -> Self {
        let made_with = match (link.token, link.grant) {
            (Some(_), _) => MadeWith::Token,
            (None, Some(_)) => MadeWith::Application,
            (None, None) => MadeWith::Session,
        };
        Self { id: link.id, user_id: link.maker, made_with, created_at: link.created_at, expires_at: link.expires_at }
    }
}

impl Operation for ListPreviews {
    const ID: &'static str = "content.previews";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("listPreviewUrls", "/content/{collection}/{id}/preview-url").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[ENTRY];
    type Output = PreviewList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<PreviewList, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (_, entry) = target.find(cx).await?;
        let links = cx.read().previews().of_entry(entry.id, cx.now()).await?;
        let mut makers = BTreeMap::new();
        for maker in links.iter().map(|link| link.maker) {
            if let Entry::Vacant(unasked) = makers.entry(maker) {
                unasked.insert(sees(cx, maker).await?);
            }
        }
        Ok(PreviewList { items: links.into_iter().filter(|link| makers[&link.maker]).map(PreviewView::from).collect() })
    }
}

/// Revoke a preview link.
///
/// It ends at once. Whoever made it can, and whoever may edit the entry.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokePreview {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// The link.
    pub preview_id: PreviewId,
}

impl Operation for RevokePreview {
    const ID: &'static str = "content.revoke_preview";
    const ACCESS: Access = Access::Needs(Scope::ContentWrite, Permission::ContentReadDrafts);
    const HTTP: Http = Http::delete("revokePreviewUrl", "/content/{collection}/{id}/preview-url/{previewId}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[ENTRY];
    type Output = Revoked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Revoked, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.lock(cx, Trash::Exclude).await?;
        let links = cx.read().previews().of_entry(entry.id, cx.now()).await?;
        let link = links.into_iter().find(|link| link.id == self.preview_id);
        let link = link.ok_or_else(|| Error::with(Code::NotFound, format!("the entry has no preview link `{}`", self.preview_id)))?;
        let is_own = link.maker.is_some() && link.maker == cx.actor().user();
        if !is_own {
            cx.permit_to(EDIT, &entry)?;
        }
        let permit = cx.permit(to::PreviewContent)?;
        cx.tx().await?.previews().delete(&permit, link.id).await?;
        trail::entry(cx, &collection, &entry, Map::from_iter([("link".to_owned(), json!(link.id))]))?;
        Ok(Revoked { revoked: true })
    }
}

/// Revoke the preview links of an entry.
///
/// All of them end at once, whoever made them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokePreviews {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
}

/// The links have ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Revoked {
    /// Always true.
    pub revoked: bool,
}

impl Operation for RevokePreviews {
    const ID: &'static str = "content.revoke_previews";
    const ACCESS: Access = EDIT;
    const HTTP: Http = Http::delete("revokePreviewUrls", "/content/{collection}/{id}/preview-url").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[ENTRY];
    type Output = Revoked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Revoked, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.lock(cx, Trash::Exclude).await?;
        let permit = cx.permit_owned(&entry)?;
        let ended = cx.tx().await?.previews().delete_of_entry(&permit, entry.id).await?;
        if ended > 0 {
            trail::entry(cx, &collection, &entry, Map::from_iter([("links".to_owned(), json!(ended))]))?;
        }
        Ok(Revoked { revoked: true })
    }
}
