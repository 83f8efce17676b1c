//! Signing in at a provider: the browser leaves with a state that only it can bring back, and the provider says who came.
//!
//! No rows are held while a provider is asked: what begins is remembered in one transaction, taken in a second, and the account
//! is found or made in a third.

use std::{collections::BTreeMap, str::FromStr, time::Duration};

use cms_auth::{
    address::is_safe,
    provider::{Back, Provider, ProviderError, Start},
    token::NewToken,
};
use cms_domain::{access::Access, id::UserId, product::Product};
use cms_frame::{
    Code, Cx, Error, Kind,
    failures::{Failures, LINK, NEW_ACCOUNT},
    operation::{Http, Limit, Operation, Surface, Tool},
    refusal,
};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use url::Url;

use crate::{
    Services, challenge,
    enter_by_provider::{EnterByProvider, Purpose, Told, refused},
    links::LinkToken,
    provider_records::ProviderRoom,
};

/// The most members of a provider's form.
const FIELDS: usize = 8;
/// The longest member, in bytes: handles and addresses of servers.
const FIELD: usize = 512;
/// The longest account at a provider (OpenID Connect Core, section 2: a subject has at most 255 characters).
const ACCOUNT: usize = 255;

/// Path and query of a page of this site: it begins with one slash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct ReturnPath(#[schemars(length(max = 2000), regex(pattern = r"^/([^/\\]|$)"))] String);

/// The text is not a path of this site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected path and query of a page of this site, as in `/_cms/admin/content/posts?page=2`")]
pub struct ReturnPathError;

impl FromStr for ReturnPath {
    type Err = ReturnPathError;

    fn from_str(text: &str) -> Result<Self, ReturnPathError> {
        // Browsers read `//host` and `/\host` as another site, and leave out tabs and line breaks before they look.
        let local = text.strip_prefix('/').is_some_and(|rest| !rest.starts_with('/'));
        let plain = text.len() <= 2000 && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        if local && plain { Ok(Self(text.to_owned())) } else { Err(ReturnPathError) }
    }
}

impl<'de> Deserialize<'de> for ReturnPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        cms_domain::text::parse(deserializer)
    }
}

/// What is remembered of somebody who went to a provider.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Away {
    provider: String,
    purpose: Purpose,
    return_to: Option<String>,
    remembered: Value,
    /// Who they were when they went.
    #[serde(skip_deserializing, default)]
    user: Option<UserId>,
}

impl challenge::Question for Away {
    const KIND: &'static str = "provider";
    /// As long as it takes to sign in elsewhere, with a second factor.
    const LIFE: Duration = Duration::from_mins(10);
}

/// How somebody begins.
pub(crate) struct Begin<'a> {
    pub(crate) provider: &'a str,
    pub(crate) purpose: Purpose,
    pub(crate) return_to: Option<ReturnPath>,
    pub(crate) fields: BTreeMap<String, String>,
}

/// Has a provider say where the browser goes, and remembers what it has to bring back.
pub(crate) async fn begin(cx: &mut Cx<'_>, user: Option<UserId>, begin: Begin<'_>) -> Result<BegunSignIn, Error> {
    if begin.fields.len() > FIELDS || begin.fields.values().any(|value| value.len() > FIELD) {
        return Err(Error::issue("fields", "TOO_LONG", format!("has at most {FIELDS} members of at most {FIELD} bytes")));
    }
    let provider = Services::of(cx.cms()).providers.get(begin.provider)?;
    let room = ProviderRoom::new(cx.cms(), provider.id());
    let state = NewToken::make("")?.text;
    let start = Start {
        state: state.clone(),
        redirect_uri: cms_auth::provider::Room::redirect_uri(&room).to_owned(),
        fields: begin.fields,
        anew: matches!(begin.purpose, Purpose::Prove { .. }),
    };
    cx.before_any_write()?;
    let begun = provider.begin(&room, &start).await.map_err(|error| match error {
        ProviderError::Form(message) => Error::issue("fields", "INVALID_VALUE", message),
        error => failed(error),
    })?;
    let url = begun.location.parse::<Url>().ok().filter(is_safe).ok_or_else(|| Error::internal("a provider begins at no safe address"))?;
    let away = Away {
        provider: provider.id().to_owned(),
        purpose: begin.purpose,
        return_to: begin.return_to.map(|path| path.0),
        remembered: begun.remembered,
        user,
    };
    challenge::ask(cx, &state, user, &away).await?;
    Ok(BegunSignIn { url: url.into() })
}

/// Sign in at a provider: where the browser goes.
///
/// The browser must be the one that comes back: it gets a cookie that tells it from others. `GET /auth/oauth/{provider}` answers
/// with a redirect there, and takes what it does not know in its query for members of the provider's form.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeginProviderSignIn {
    /// The provider.
    #[schemars(length(max = 32))]
    pub provider: String,
    /// The secret of an invitation that is accepted with it.
    pub invite: Option<LinkToken>,
    /// Path and query of the page that the browser ends at. The default is the admin application.
    #[serde(rename = "return")]
    pub return_to: Option<ReturnPath>,
    /// What was filled into the provider's form.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
}

/// A sign-in that began.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BegunSignIn {
    /// Where the browser goes.
    pub url: String,
}

impl Operation for BeginProviderSignIn {
    const ID: &'static str = "provider.begin";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("beginProviderSignIn", "/auth/oauth/{provider}/begin").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    const FAILURES: Failures = &[LINK, &[Code::ProviderNotFound, Code::EmailMismatch]];
    type Output = BegunSignIn;

    async fn run(self, cx: &mut Cx<'_>) -> Result<BegunSignIn, Error> {
        let purpose = Purpose::SignIn { invitation: self.invite.map(|token| token.hash()) };
        begin(cx, None, Begin { provider: &self.provider, purpose, return_to: self.return_to, fields: self.fields }).await
    }
}

/// Come back from a provider.
///
/// Whatever happens, the browser is sent on: to the page it came from, or to the sign-in page with a code that says what is wrong.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FinishProviderSignIn {
    /// The provider.
    pub provider: String,
    /// The parameters that the provider sent the browser back with.
    pub parameters: BTreeMap<String, String>,
}

/// Where the browser goes on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Landing {
    /// Path and query of a page of this site.
    pub location: String,
}

impl Landing {
    /// The sign-in page, for whoever has not decided yet how to sign in.
    pub fn choice(product: &Product) -> Self {
        Self { location: format!("{}/login", product.admin()) }
    }

    /// The sign-in page, with what went wrong in one of our own words.
    pub fn refused(product: &Product, error: &Error) -> Self {
        Self { location: format!("{}/login?error={}", product.admin(), reason(error)) }
    }
}

impl Operation for FinishProviderSignIn {
    const ID: &'static str = "provider.finish";
    const ACCESS: Access = Access::Public;
    const HTTP: Http =
        Http { surface: Surface::None, ..Http::get("finishProviderSignIn", "/auth/oauth/{provider}/callback").replaced_by_gateway() };
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::FOLLOW);
    const FAILURES: Failures = &[
        LINK,
        NEW_ACCOUNT,
        &[Code::ProofRejected, Code::ProviderNotFound, Code::EmailMismatch, Code::ChallengeExpired, Code::SignInRefused],
    ];
    type Output = Landing;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Landing, Error> {
        match self.finish(cx).await {
            Ok(location) => Ok(Landing { location }),
            Err(error) => {
                tell(&error);
                refusal::tell(cx.client(), cx.actor().user(), Self::ID, &error);
                Ok(Landing::refused(cx.product(), &error))
            }
        }
    }
}

impl FinishProviderSignIn {
    async fn finish(self, cx: &mut Cx<'_>) -> Result<String, Error> {
        let provider = Services::of(cx.cms()).providers.get(&self.provider)?;
        let Some(state) = self.parameters.get("state").cloned() else { return Err(refused("invalid_callback")) };
        let away = cx.part(TakeProviderSignIn { state }).await?;
        let stays = !matches!(away.purpose, Purpose::SignIn { .. });
        // A session that ended or changed hands meanwhile must not get the account connected, nor count as proven.
        let same_person = !stays || (away.user.is_some() && away.user == cx.actor().user());
        if away.provider != self.provider || !same_person {
            return Err(refused("invalid_state"));
        }
        let page = away.return_to.clone().unwrap_or_else(|| cx.product().admin());
        match self.enter(cx, &*provider, away).await {
            Ok(()) => Ok(page),
            // They are signed in, and did not want to sign in: the page that they came from says what went wrong.
            Err(error) if stays => {
                tell(&error);
                refusal::tell(cx.client(), cx.actor().user(), Self::ID, &error);
                Ok(with_error(&page, reason(&error)))
            }
            Err(error) => Err(error),
        }
    }

    /// Has the provider say who came, and does what they went there for.
    async fn enter(self, cx: &mut Cx<'_>, provider: &dyn Provider, away: Away) -> Result<(), Error> {
        let room = ProviderRoom::new(cx.cms(), provider.id());
        let redirect_uri = cms_auth::provider::Room::redirect_uri(&room).to_owned();
        let back = Back { parameters: self.parameters, remembered: away.remembered, redirect_uri };
        cx.before_any_write()?;
        let identity = provider.finish(&room, &back).await.map_err(failed)?;
        if identity.account.is_empty() || identity.account.len() > ACCOUNT || identity.account.contains(char::is_control) {
            return Err(refused("profile_fetch_failed"));
        }
        let (told, role) = (Told::new(&identity), provider.admits(&identity));
        let issuer = provider.issuer();
        cx.part(EnterByProvider { provider: self.provider, issuer, told, purpose: away.purpose, role }).await?;
        Ok(())
    }
}

/// The address of a page with what went wrong in its query.
fn with_error(page: &str, reason: &str) -> String {
    let (page, fragment) = page.split_once('#').map_or((page, String::new()), |(page, fragment)| (page, format!("#{fragment}")));
    let join = if page.contains('?') { '&' } else { '?' };
    format!("{page}{join}error={reason}{fragment}")
}

/// Take what is remembered of somebody who went to a provider: nobody comes back twice.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TakeProviderSignIn {
    /// The state that the browser brought back.
    pub state: String,
}

impl Operation for TakeProviderSignIn {
    const ID: &'static str = "provider.take";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[&[Code::ChallengeExpired]];
    type Output = Away;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Away, Error> {
        let (away, user) = challenge::take::<Away>(cx, &self.state).await?;
        Ok(Away { user, ..away })
    }
}

/// The word for the sign-in page.
fn reason(error: &Error) -> &str {
    match error.code() {
        Code::SignInRefused => error.details_json().and_then(|details| details["reason"].as_str()).unwrap_or("oauth_error"),
        Code::ChallengeExpired => "invalid_state",
        Code::ProviderNotFound => "invalid_provider",
        Code::AccountDisabled => "account_disabled",
        Code::InvalidLink | Code::TokenExpired => "invite_invalid",
        Code::EmailMismatch => "invite_email_mismatch",
        Code::RateLimited => "rate_limited",
        Code::ProviderUnavailable => "provider_unavailable",
        Code::ValidationError => "invalid_request",
        _ => "server_error",
    }
}

/// What a provider's failure is to whoever signs in.
fn failed(error: ProviderError) -> Error {
    let reason = match &error {
        ProviderError::Denied => "oauth_denied",
        ProviderError::Refused => "oauth_error",
        ProviderError::Callback(_) | ProviderError::Form(_) => "invalid_callback",
        ProviderError::NotAllowed => "signup_not_allowed",
        ProviderError::Exchange(_) => "token_exchange_failed",
        ProviderError::Profile(_) => "profile_fetch_failed",
        ProviderError::Unavailable(_) => {
            return Error::new(Code::ProviderUnavailable).because(error);
        }
        ProviderError::Room(_) => return Error::internal(error),
    };
    refused(reason).because(error)
}

/// Writes down why nobody was signed in: the page says only a word of it. Causes are told in the libraries' own words, never with
/// what they read, which may hold tokens and names.
fn tell(error: &Error) {
    let mut causes = Vec::new();
    let mut next = error.private().map(|cause| cause as &dyn std::error::Error);
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    let (code, reason, causes) = (error.code().as_str(), reason(error), causes.join(": "));
    match error.code().kind() {
        Kind::Internal => tracing::error!(code, reason, causes, "a sign-in at a provider failed"),
        _ if causes.is_empty() => tracing::debug!(code, reason, "a sign-in at a provider was refused"),
        _ => tracing::warn!(code, reason, causes, "a sign-in at a provider failed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_wrong_is_told_in_the_query_of_a_page() {
        assert_eq!(with_error("/admin/account", "oauth_denied"), "/admin/account?error=oauth_denied");
        assert_eq!(with_error("/admin/account?a=b#top", "oauth_denied"), "/admin/account?a=b&error=oauth_denied#top");
    }

    #[test]
    fn only_pages_of_this_site_are_returned_to() {
        for path in ["/", "/_cms/admin", "/_cms/admin/content/posts?page=2&sort=%2Ftitle", "/a//b", "/?next=//evil.example"] {
            assert_eq!(path.parse::<ReturnPath>().unwrap().0, path);
        }
        for path in [
            "",
            "_cms",
            "//evil.example",
            "/\\evil.example",
            "/a\\b",
            "\\/evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "/\t/evil.example",
            "/\n/evil.example",
            "/a b",
            "/\u{202e}",
            "?a",
            "#a",
        ] {
            assert!(path.parse::<ReturnPath>().is_err(), "{path:?}");
        }
        assert!(format!("/{}", "a".repeat(2000)).parse::<ReturnPath>().is_err());
    }
}
