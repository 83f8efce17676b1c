//! Preview links: whoever holds one sees the working copy of one entry for a while.

use cms_auth::token::{self, NewToken};
use cms_domain::{
    access::{Access, Actor, Permission, Scope, Via, Visibility, to},
    collection::Support,
    id::{GrantId, PreviewId, TokenId, UserId},
    locale::Locale,
    slug::{CollectionSlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{ENTRY, FEATURE, Failures, THING},
    operation::{Http, Operation, Tool},
};
use cms_storage::{EntryView, PreviewLink, Trash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use super::{
    item::Item,
    preview_path::{Lifetime, PathPattern, Place},
    target::{Target, supported},
    trail,
};
use crate::schema_cache;

/// How many links to one entry are good at a time: some for each of its readers. The list of them stays a page.
const MAX_LINKS: usize = 50;

/// Make a preview link.
///
/// Whoever holds the link sees the working copy of this one entry until the link ends or is revoked, and as long as whoever made it
/// could see it too. It stays good when the slug changes. A link that is made with an access token ends with the token, and one that
/// an application makes ends with what it was granted.
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
    /// Identifies the link, to revoke it.
    pub id: PreviewId,
    /// Path on the site, with the link's token as the query parameter `_preview`.
    pub url: String,
    /// When the link ends.
    pub expires_at: Timestamp,
}

impl Operation for MakePreviewUrl {
    const ID: &'static str = "content.preview_url";
    const ACCESS: Access = Access::Needs(Scope::ContentWrite, Permission::ContentReadDrafts);
    const HTTP: Http = Http::post("makePreviewUrl", "/content/{collection}/{id}/preview-url").query(&["locale"]).internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[ENTRY, FEATURE, &[Code::PreviewLimit]];
    type Output = PreviewUrl;

    async fn run(self, cx: &mut Cx<'_>) -> Result<PreviewUrl, Error> {
        let permit = cx.permit(to::PreviewContent)?;
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        // Held, so that of two links at once the second counts the first.
        let (collection, entry) = target.lock(cx, Trash::Exclude).await?;
        supported(&collection, Support::Preview)?;
        let now = cx.now();
        if cx.read().previews().of_entry(entry.id, now).await?.len() >= MAX_LINKS {
            return Err(Error::new(Code::PreviewLimit));
        }
        let Bond { token, grant, ends } = bond(cx).await?;
        let asked = now.after(self.expires_in.duration());
        let expires_at = ends.map_or(asked, |ends| ends.min(asked));
        let maker = cx.actor().user();
        let link = PreviewLink { id: cx.new_id(), entry: entry.id, maker, token, grant, created_at: now, expires_at };
        let made = NewToken::make("")?;
        cx.tx().await?.previews().insert(&permit, &link, &made.hash).await?;
        // Its id and when it ends, and never its secret: whoever has that reads the draft.
        let details = Map::from_iter([("link".to_owned(), json!(link.id)), ("expiresAt".to_owned(), json!(link.expires_at))]);
        trail::entry(cx, &collection, &entry, details)?;
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
        Ok(PreviewUrl { id: link.id, url: place.address(pattern, &made.text), expires_at })
    }
}

/// What a link does not outlive.
#[derive(Default)]
struct Bond {
    token: Option<TokenId>,
    grant: Option<GrantId>,
    ends: Option<Timestamp>,
}

/// What a link of the caller's does not outlive: the access token that is sent. People who are signed in make links of their own.
async fn bond(cx: &Cx<'_>) -> Result<Bond, Error> {
    let Actor::User(caller) = cx.actor() else { return Ok(Bond::default()) };
    match &caller.via {
        Via::Token(id, _) => {
            let tokens = cx.read().tokens().for_user(caller.user).await?;
            let token = tokens.into_iter().find(|token| token.id == *id).ok_or_else(|| Error::new(Code::InvalidToken))?;
            Ok(Bond { token: Some(token.id), ends: token.expires_at, ..Bond::default() })
        }
        Via::Grant(id, _) => {
            let grants = cx.read().oauth_grants().for_user(caller.user, usize::MAX).await?;
            let (grant, _) = grants.into_iter().find(|(grant, _)| grant.id == *id).ok_or_else(|| Error::new(Code::InvalidToken))?;
            Ok(Bond { grant: Some(grant.id), ..Bond::default() })
        }
        Via::Session(_) | Via::Host => Ok(Bond::default()),
    }
}

/// Whether whoever made a link could still see what it shows. The operator always can.
pub(super) async fn sees(cx: &Cx<'_>, maker: Option<UserId>) -> Result<bool, Error> {
    let Some(maker) = maker else { return Ok(true) };
    let maker = cx.read().users().by_id(maker).await?;
    Ok(maker.is_some_and(|maker| !maker.disabled && Visibility::of(maker.role) == Visibility::Working))
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
    const FAILURES: Failures = &[THING, FEATURE];
    type Output = PreviewAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<PreviewAnswer, Error> {
        let refuse = || Error::with(Code::NotFound, "the preview link is not valid, has expired, or was revoked");
        if !token::is_plausible("", &self.token) {
            return Err(refuse());
        }
        let link = cx.read().previews().by_hash(&token::hash(&self.token), cx.now()).await?.ok_or_else(refuse)?;
        if !sees(cx, link.maker).await? {
            return Err(refuse());
        }
        let entry = cx.read().entries().get(Visibility::Working, link.entry, Trash::Exclude).await?.ok_or_else(refuse)?;
        let collection = schema_cache::collection_by_id(cx, entry.collection).await?.ok_or_else(refuse)?;
        supported(&collection, Support::Preview)?;
        Ok(PreviewAnswer { item: Item::of(&collection, EntryView::working(entry))? })
    }
}
