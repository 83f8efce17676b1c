//! Setting a site up: the first admin, who proves with a one-time token that they run the server.
//!
//! The token is made when the server starts, and shown to whoever starts it. Giving it back binds the setup to a browser; what
//! follows, with a passkey or at a provider, has to come from there. `complete` lets one of all attempts win.

use std::time::Duration;

use cms_auth::{
    passkey::{challenge_of, to_base64},
    token::{self, NewToken},
};
use cms_domain::{
    access::Access,
    user::{Email, PersonName, Role},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, REGISTRATION, THING},
    jobs::{Order, Wanted},
    operation::{Http, Limit, Operation, Tool},
};
use cms_storage::Reader;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Services, challenge,
    registration::{self, CHALLENGE_LIFE, CreationOptions, NewAccount, RegistrationCredential},
    session::{Method, SignedIn},
    site, vouched,
};

/// Setting: when the site was set up. Whoever writes it first makes the first admin; it stays.
const COMPLETE: &str = "setup_complete";
/// Setting: hash of the token that was shown last.
const TOKEN: &str = "setup_token";
/// Setting: hash of the secret of the browser that gave the token back last.
const BROWSER: &str = "setup_browser";
/// Setting: there when sample content is wanted, until the site is set up.
const SAMPLE_CONTENT: &str = "sample_content";
/// The value of that setting.
const WANTED: &str = "wanted";

/// What the first passkey is registered for.
const PURPOSE: &str = "setup";
/// What the first passkey is called.
const PASSKEY: &str = "Setup passkey";
/// The most characters of a site's title: more fit no tab and no menu.
const TITLE: usize = 200;
/// The most characters of a site's tagline.
const TAGLINE: usize = 500;
/// The fewest characters of a token that the operator chose: 16 letters and digits of chance have over 80 bits.
pub const CHOSEN_TOKEN: usize = 16;

/// Whether the site is set up: somebody completed the setup, or there is an admin who can sign in.
pub async fn is_complete(reader: Reader<'_>) -> Result<bool, Error> {
    Ok(reader.settings().get(COMPLETE).await?.is_some() || reader.users().count_admins().await? > 0)
}

/// Whether nothing of the setup is left to do. Behind a gateway whoever comes first is the admin before any page is there: what is left
/// is to name the site.
async fn is_over(cx: &Cx<'_>) -> Result<bool, Error> {
    if is_behind_gateway(cx) { Ok(site::title(cx.read()).await?.is_some()) } else { is_complete(cx.read()).await }
}

fn is_behind_gateway(cx: &Cx<'_>) -> bool {
    Services::of(cx.cms()).gateway.is_some()
}

/// A site that is set up has nothing of this any more.
async fn refuse_if_over(cx: &Cx<'_>) -> Result<(), Error> {
    if is_over(cx).await? { Err(over()) } else { Ok(()) }
}

fn over() -> Error {
    Error::with(Code::NotFound, "this site is set up: sign in")
}

/// Refuses whoever may not make the first admin: the setup is over, or the token was not given back by this browser.
pub(crate) async fn admit(cx: &Cx<'_>) -> Result<(), Error> {
    refuse_if_over(cx).await?;
    let bound = cx.read().settings().get(BROWSER).await?;
    let browser = cx.client().browser.as_deref().map(|secret| to_base64(&token::hash(secret)));
    // Hashes of secrets: how long the comparison takes tells nothing of the secrets.
    if bound.is_some() && bound == browser {
        Ok(())
    } else {
        Err(Error::with(Code::SetupTokenInvalid, "this browser did not begin the setup: open the address that the server showed"))
    }
}

/// Ends the setup for the first admin, whom the same transaction makes afterwards. Of attempts at the same time one gets through;
/// the others wait for it, and are told that the site is set up.
pub(crate) async fn complete(cx: &mut Cx<'_>) -> Result<(), Error> {
    let now = cx.now().to_string();
    let settings = cx.tx().await?.settings();
    if !settings.claim(&vouched::note()?, COMPLETE, &now).await? {
        return Err(over());
    }
    // One may have been made at the command line in the meantime.
    if cx.read().users().count_admins().await? > 0 {
        return Err(over());
    }
    if !is_behind_gateway(cx) {
        spend_token(cx).await?;
    }
    make_wanted_content(cx).await
}

/// Sample content for a site that is set up.
#[derive(Debug, Serialize, Deserialize)]
pub struct SampleContent {}

impl Order for SampleContent {
    const KIND: &'static str = "site.sample_content";
    const TITLE: &'static str = "Make sample content";
}

/// Asks for the sample content of a site that is set up by now, if it is wanted.
async fn make_wanted_content(cx: &mut Cx<'_>) -> Result<(), Error> {
    if cx.tx().await?.settings().remove(&vouched::note()?, SAMPLE_CONTENT).await? {
        cx.enqueue(Wanted::new(SampleContent {}).only("site")).await?;
    }
    Ok(())
}

/// The token and the browser that gave it back are good for nothing more. Says whether there was a token: of those who spend it at the
/// same time one is told so.
async fn spend_token(cx: &mut Cx<'_>) -> Result<bool, Error> {
    let permit = vouched::note()?;
    let settings = cx.tx().await?.settings();
    settings.remove(&permit, BROWSER).await?;
    Ok(settings.remove(&permit, TOKEN).await?)
}

/// Offer the setup to whoever starts the server.
///
/// Makes a new token unless one is given; the one before is void. A site that is set up offers nothing.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OfferSetup {
    /// The token, if the operator chose it: at least 16 characters.
    #[schemars(length(min = CHOSEN_TOKEN))]
    pub token: Option<String>,
}

/// An offer.
#[derive(Serialize, JsonSchema)]
pub struct SetupOffer {
    /// The token; null when the site is set up.
    pub token: Option<String>,
}

impl Operation for OfferSetup {
    const ID: &'static str = "setup.offer";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = SetupOffer;

    fn check(&self) -> Result<(), Error> {
        if self.token.as_ref().is_some_and(|token| token.chars().count() < CHOSEN_TOKEN) {
            return Err(Error::issue("token", "LENGTH", format!("has at least {CHOSEN_TOKEN} characters")));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<SetupOffer, Error> {
        if is_over(cx).await? {
            // Its first admin may have been made at the command line.
            make_wanted_content(cx).await?;
            return Ok(SetupOffer { token: None });
        }
        let token = match self.token {
            Some(token) => token,
            None => NewToken::make("")?.text,
        };
        cx.tx().await?.settings().set(&vouched::note()?, TOKEN, &to_base64(&token::hash(&token))).await?;
        Ok(SetupOffer { token: Some(token) })
    }
}

/// Tell whether the site has to be set up.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetSetupStatus {}

/// How far the setup has come.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetupStatus {
    /// Whether the site has to be set up. If not, there is nothing else in the answer.
    pub needs_setup: bool,
    /// What comes next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<SetupStep>,
    /// How people sign in: `passkey`, or `gateway` when something in front of the server vouches for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_mode: Option<String>,
}

/// A step of the setup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SetupStep {
    /// Name the site.
    Site,
    /// Make the first admin.
    Admin,
}

impl Operation for GetSetupStatus {
    const ID: &'static str = "setup.status";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::get("getSetupStatus", "/setup/status").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = SetupStatus;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SetupStatus, Error> {
        if is_over(cx).await? {
            return Ok(SetupStatus { needs_setup: false, step: None, auth_mode: None });
        }
        // What another browser began, this one begins anew.
        let step = if admit(cx).await.is_ok() { SetupStep::Admin } else { SetupStep::Site };
        let mode = if is_behind_gateway(cx) { "gateway" } else { "passkey" };
        Ok(SetupStatus { needs_setup: true, step: Some(step), auth_mode: Some(mode.to_owned()) })
    }
}

/// Begin to set the site up.
///
/// The token lets this browser, and from now on no other, make the first admin. Behind an access gateway, which makes the first admin
/// itself, this is all of the setup.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeginSetup {
    /// The token that the server showed when it started.
    pub token: String,
    /// What the site is called.
    #[schemars(length(min = 1, max = TITLE))]
    pub title: String,
    /// What the site is about.
    #[schemars(length(max = TAGLINE))]
    pub tagline: Option<String>,
    /// Whether to make collections and entries that show what can be done.
    #[serde(default)]
    pub include_content: bool,
}

/// The step is done.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetupBegun {
    /// Always true.
    pub success: bool,
}

/// A text without spaces around it; none when it says nothing.
fn trimmed(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// Checks that a text is not too long.
fn fits(path: &str, text: Option<&str>, most: usize) -> Result<(), Error> {
    match text {
        Some(text) if text.chars().count() > most => Err(Error::issue(path, "LENGTH", format!("has at most {most} characters"))),
        _ => Ok(()),
    }
}

impl Operation for BeginSetup {
    const ID: &'static str = "setup.begin";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("beginSetup", "/setup").internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    const FAILURES: Failures = &[THING, &[Code::SetupTokenInvalid]];
    type Output = SetupBegun;

    fn check(&self) -> Result<(), Error> {
        if self.title.trim().is_empty() {
            return Err(Error::issue("title", "LENGTH", "has at least one character that is not a space"));
        }
        fits("title", trimmed(Some(&self.title)), TITLE)?;
        fits("tagline", trimmed(self.tagline.as_deref()), TAGLINE)
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<SetupBegun, Error> {
        refuse_if_over(cx).await?;
        let stored = cx.read().settings().get(TOKEN).await?.and_then(|text| cms_auth::passkey::from_base64(&text));
        if !stored.is_some_and(|hash| token::is_hash_of(&hash, &self.token)) {
            return Err(Error::new(Code::SetupTokenInvalid));
        }
        let browser = challenge::browser(cx)?;
        let permit = vouched::note()?;
        let settings = cx.tx().await?.settings();
        settings.set(&permit, BROWSER, &to_base64(&browser)).await?;
        site::name(settings, &permit, &self.title, trimmed(self.tagline.as_deref())).await?;
        if self.include_content {
            settings.set(&permit, SAMPLE_CONTENT, WANTED).await?;
        } else {
            settings.remove(&permit, SAMPLE_CONTENT).await?;
        }
        if is_behind_gateway(cx) {
            if !spend_token(cx).await? {
                return Err(over());
            }
            make_wanted_content(cx).await?;
        }
        cx.audit("site", "", &json!({ "title": self.title.trim(), "includeContent": self.include_content }));
        Ok(SetupBegun { success: true })
    }
}

/// Begin to make the first admin.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeginFirstAdmin {
    /// The admin's address.
    pub email: Email,
    /// The admin's name.
    pub name: Option<PersonName>,
}

/// What to ask the authenticator.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct FirstAdminOptions {
    /// Always true.
    pub success: bool,
    /// For `navigator.credentials.create`.
    pub options: CreationOptions,
}

/// The admin who is about to be.
#[derive(Serialize, Deserialize)]
struct FirstAdmin {
    email: Email,
    name: Option<String>,
}

impl challenge::Question for FirstAdmin {
    const KIND: &'static str = "setup";
    const LIFE: Duration = CHALLENGE_LIFE;
}

/// The name under which the admin of a passkey's challenge is remembered.
fn admin_of(challenge: &str) -> String {
    format!("{PURPOSE} {challenge}")
}

impl Operation for BeginFirstAdmin {
    const ID: &'static str = "setup.begin_admin";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("beginFirstAdmin", "/setup/admin").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    const FAILURES: Failures = &[THING, &[Code::SetupTokenInvalid]];
    type Output = FirstAdminOptions;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FirstAdminOptions, Error> {
        admit(cx).await?;
        let name = self.name.map(PersonName::into_string);
        let options = registration::ask(cx, PURPOSE, &self.email, name.as_deref()).await?;
        let admin = FirstAdmin { email: self.email, name };
        challenge::ask(cx, &admin_of(&to_base64(&options.challenge.0)), None, &admin).await?;
        Ok(FirstAdminOptions { success: true, options })
    }
}

/// Finish the setup.
///
/// Makes the first admin, with the passkey, and signs them in. Of several who finish at the same time one does.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FinishSetup {
    /// The authenticator's answer.
    pub credential: RegistrationCredential,
}

impl Operation for FinishSetup {
    const ID: &'static str = "setup.finish";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("finishSetup", "/setup/admin/verify").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    const FAILURES: Failures = &[THING, REGISTRATION, &[Code::SetupTokenInvalid, Code::EmailInUse]];
    type Output = SignedIn;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SignedIn, Error> {
        refuse_if_over(cx).await?;
        let asked = challenge_of(&self.credential.response.client_data_json.0).ok_or_else(|| Error::new(Code::PasskeyRejected))?;
        let (FirstAdmin { email, name }, _) = challenge::take(cx, &admin_of(&asked)).await?;
        complete(cx).await?;
        let account = NewAccount { email, name, role: Role::Admin, email_verified: false, passkey_name: PASSKEY };
        registration::create_account(cx, PURPOSE, self.credential, account, &Method::Setup).await
    }
}
