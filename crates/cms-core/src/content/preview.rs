//! Preview links: whoever holds one sees the working copy of one entry for a while.

use cms_auth::preview::PreviewClaim;
use cms_domain::{
    access::{Access, Visibility},
    collection::Support,
    locale::Locale,
    slug::{CollectionSlug, IdOrSlug},
    time::Timestamp,
};
use cms_storage::{EntryView, Trash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use super::{
    EDIT, READ_DRAFTS,
    item::Item,
    preview_path::{Lifetime, PathPattern, Place},
    target::{Target, supported},
    trail,
};
use crate::{
    Code, Cx, Error,
    operation::{Http, Operation, Tool},
};

/// Make a preview link.
///
/// Whoever holds the link sees the working copy of this one entry until the link ends or is revoked. It stays good when the
/// slug changes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MakePreviewUrl {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// How long the link is good, one hour unless it says otherwise.
    #[serde(default)]
    pub expires_in: Lifetime,
    /// Path of the entry on the site, instead of the configured one.
    pub path_pattern: Option<PathPattern>,
}

/// A preview link.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewUrl {
    /// Path on the site, with the link's token as the query parameter `_preview`.
    pub url: String,
    /// When the link ends.
    pub expires_at: Timestamp,
}

impl Operation for MakePreviewUrl {
    const ID: &'static str = "content.preview_url";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::post("makePreviewUrl", "/content/{collection}/{id}/preview-url").query(&["locale"]).internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = PreviewUrl;

    async fn run(self, cx: &mut Cx<'_>) -> Result<PreviewUrl, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.find(cx).await?;
        supported(&collection, Support::Preview)?;
        let issued_at = cx.now();
        let expires_at = issued_at.after(self.expires_in.duration());
        let token = cx.cms().preview_key().await?.sign(&PreviewClaim { entry: entry.id, issued_at, expires_at });
        let configured = &cx.options().preview;
        let pattern = self.path_pattern.as_ref().map_or(configured.path_pattern.as_str(), PathPattern::as_str);
        let locale = &entry.locale;
        let prefixed = configured.prefix_default_locale || locale != cx.options().locales.default_locale();
        let id = entry.id.to_string();
        let place = Place {
            collection: collection.slug.as_str(),
            id: &id,
            slug: entry.working().slug.as_ref().map_or(id.as_str(), |slug| slug.as_str()),
            locale: if prefixed { locale.as_str() } else { "" },
        };
        let url = place.address(pattern, &token);
        // When it ends, and never the link: whoever has that reads the draft.
        trail::entry(cx, &collection, &entry, Map::from_iter([("expiresAt".to_owned(), json!(expires_at))]))?;
        Ok(PreviewUrl { url, expires_at })
    }
}

/// Revoke the preview links of an entry.
///
/// All links that were made until now end at once.
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
    type Output = Revoked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Revoked, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.lock(cx, Trash::Exclude).await?;
        let permit = cx.permit_owned(&entry)?;
        let now = cx.now();
        cx.tx().await?.previews().revoke(&permit, entry.id, now).await?;
        trail::entry(cx, &collection, &entry, Map::new())?;
        Ok(Revoked { revoked: true })
    }
}

/// Get the entry of a preview link.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetPreview {
    /// The link's token: its query parameter `_preview`.
    pub token: String,
}

/// The working copy of an entry.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PreviewAnswer {
    /// The entry as it would be published.
    pub item: Item,
}

impl Operation for GetPreview {
    const ID: &'static str = "content.preview";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::get("getPreview", "/preview/{token}").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = PreviewAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<PreviewAnswer, Error> {
        let refuse = || Error::with(Code::NotFound, "the preview link is not valid, has expired, or was revoked");
        let claim = cx.cms().preview_key().await?.verify(&self.token, cx.now()).map_err(|_| refuse())?;
        // Revoking ends what was made in the same millisecond, too.
        if cx.read().previews().revoked_before(claim.entry).await?.is_some_and(|before| claim.issued_at <= before) {
            return Err(refuse());
        }
        let entry = cx.read().entries().get(Visibility::Working, claim.entry, Trash::Exclude).await?.ok_or_else(refuse)?;
        let collection = cx.cms().schema().by_id(cx.read(), entry.collection).await?.ok_or_else(refuse)?;
        supported(&collection, Support::Preview)?;
        Ok(PreviewAnswer { item: Item::of(&collection, EntryView::working(entry))? })
    }
}
