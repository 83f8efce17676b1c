//! Registering a passkey: the one ceremony behind setup, invitations, sign-up and the passkeys of whoever is signed in.
//!
//! What is asked is bound to the browser, to the purpose, and to the account: a new passkey goes to no other.

use std::time::Duration;

use cms_auth::passkey::{ALGORITHMS, Made, Passkey, PasskeyError, RelyingParty, TIMEOUT, TRANSPORTS, challenge_of};
use cms_domain::{
    access::{Permit, to},
    event::Event,
    id::UserId,
    user::{Email, Role, User},
};
use cms_frame::{Code, Cx, Error};
use cms_storage::StoredPasskey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    binary::Binary,
    challenge,
    session::{self, Method, SignedIn},
    site, vouched,
};

/// What a browser needs to have a passkey made: the JSON of `PublicKeyCredentialCreationOptions` (WebAuthn §5.4), as
/// `PublicKeyCredential.parseCreationOptionsFromJSON` reads it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreationOptions {
    /// What the authenticator has to sign.
    pub challenge: Binary,
    /// The site.
    pub rp: SiteEntity,
    /// The account.
    pub user: UserEntity,
    /// The keys that are accepted, best first.
    pub pub_key_cred_params: Vec<KeyKind>,
    /// How long the user may take, in milliseconds.
    pub timeout: u32,
    /// `none`: who made the authenticator does not matter.
    pub attestation: String,
    /// Which authenticators will do.
    pub authenticator_selection: AuthenticatorSelection,
    /// Passkeys that the account has; their authenticators do not make another.
    pub exclude_credentials: Vec<CredentialDescriptor>,
}

/// A site, as authenticators show it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SiteEntity {
    /// Its host: passkeys are bound to it.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// An account, as authenticators show it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserEntity {
    /// Its id, which the authenticator gives back when it finds the passkey by itself.
    pub id: Binary,
    /// Its address.
    pub name: String,
    /// Its user's name, or the address.
    pub display_name: String,
}

/// A kind of keys.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct KeyKind {
    /// `public-key`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Number of the algorithm in the COSE registry: -7 is ES256, -257 is RS256.
    pub alg: i32,
}

/// Which authenticators will do.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthenticatorSelection {
    /// `preferred`: best is a passkey that is found without the account's name.
    pub resident_key: String,
    /// `preferred`: best is an authenticator that verifies its user. `required` where the site takes no other.
    pub user_verification: String,
}

/// A passkey, as browsers are told of it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CredentialDescriptor {
    /// `public-key`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Id of the credential.
    pub id: Binary,
    /// How its authenticator can be reached.
    pub transports: Vec<String>,
}

impl CredentialDescriptor {
    pub(crate) fn new(id: Vec<u8>, transports: Vec<String>) -> Self {
        Self { kind: PUBLIC_KEY.to_owned(), id: Binary(id), transports }
    }
}

/// A new passkey, as the browser hands it over: the JSON of a `PublicKeyCredential`. What browsers add to it is not looked at.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistrationCredential {
    /// Id of the credential.
    pub id: Binary,
    /// The same.
    pub raw_id: Binary,
    /// `public-key`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The authenticator's answer.
    pub response: AttestationResponse,
    /// `platform` or `cross-platform`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authenticator_attachment: Option<String>,
}

/// What an authenticator says of a new passkey.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttestationResponse {
    /// What the browser asked of it.
    #[serde(rename = "clientDataJSON")]
    pub client_data_json: Binary,
    /// The new key.
    pub attestation_object: Binary,
    /// How it can be reached.
    #[serde(default)]
    pub transports: Vec<String>,
}

/// The only type of credentials that WebAuthn has.
pub(crate) const PUBLIC_KEY: &str = "public-key";

/// The most characters of a passkey's name.
pub(crate) const PASSKEY_NAME: usize = 100;

/// What was asked for.
#[derive(Debug, Serialize, Deserialize)]
struct Registration {
    /// What the passkey is for.
    purpose: String,
    /// The account, whether it is there or not.
    account: UserId,
    /// What the passkey will be called.
    name: Option<String>,
    /// What the answer is checked with.
    state: String,
}

impl challenge::Question for Registration {
    const KIND: &'static str = "passkey_registration";
    const LIFE: Duration = CHALLENGE_LIFE;
}

/// How long a passkey may be made or used once it was asked for: longer than browsers let people take.
pub(crate) const CHALLENGE_LIFE: Duration = Duration::from_mins(5);

/// An account that is about to be made.
#[derive(Debug, Clone)]
pub(crate) struct NewAccount {
    /// Its address.
    pub(crate) email: Email,
    /// Its user's name.
    pub(crate) name: Option<String>,
    /// Its role.
    pub(crate) role: Role,
    /// Whether somebody who reads mail to the address confirmed it.
    pub(crate) email_verified: bool,
    /// What its first passkey is called.
    pub(crate) passkey_name: &'static str,
}

/// Asks for the first passkey of an account that is about to be made. The purpose says what lets it be made, down to the single
/// invitation: the answer is accepted for the same purpose only.
pub(crate) async fn ask(cx: &mut Cx<'_>, purpose: &str, email: &Email, name: Option<&str>) -> Result<CreationOptions, Error> {
    let account = Account { id: cx.new_id(), user: None, email, name, known: &[] };
    ask_for(cx, purpose, account, None).await
}

/// Makes an account whose first passkey is the one that [`ask`] asked for, and signs its user in.
pub(crate) async fn create_account(
    cx: &mut Cx<'_>,
    purpose: &str,
    credential: RegistrationCredential,
    account: NewAccount,
    method: &Method,
) -> Result<SignedIn, Error> {
    let registered = check(cx, purpose, None, credential).await?;
    // Whoever asks is nobody yet. The purpose, which the caller checks, is what allows it.
    let (permit, own) = (vouched::by(&registered, to::ManageUsers)?, vouched::by(&registered, to::Account(registered.account))?);
    let NewAccount { email, name, role, email_verified, passkey_name } = account;
    let user = User { name, email_verified, ..User::new(registered.account, email, role, cx.now()) };
    cx.tx().await?.users().insert(&permit, &user).await?;
    let passkey = keep(cx, &own, &registered, passkey_name).await?;
    cx.emit(Event::User { user: user.id });
    cx.audit_as(Some(user.id), "user", user.id, &json!({ "email": user.email, "role": user.role, "passkey": passkey.id }));
    session::open(cx, &registered, &user, method).await
}

/// Asks for another passkey of an account, which will be called by a name.
pub(crate) async fn ask_user(
    cx: &mut Cx<'_>,
    purpose: &str,
    user: &User,
    known: &[StoredPasskey],
    name: Option<String>,
) -> Result<CreationOptions, Error> {
    let account = Account { id: user.id, user: Some(user.id), email: &user.email, name: user.name.as_deref(), known };
    ask_for(cx, purpose, account, name).await
}

/// The account that a passkey is asked for.
struct Account<'a> {
    id: UserId,
    /// The same, if it is there already.
    user: Option<UserId>,
    email: &'a Email,
    name: Option<&'a str>,
    known: &'a [StoredPasskey],
}

async fn ask_for(cx: &mut Cx<'_>, purpose: &str, account: Account<'_>, passkey_name: Option<String>) -> Result<CreationOptions, Error> {
    let site = site(cx).await?;
    let asked = site.ask_to_make().map_err(Error::internal)?;
    let question = Registration { purpose: purpose.to_owned(), account: account.id, name: passkey_name, state: asked.state };
    challenge::ask(cx, &asked.challenge, account.user, &question).await?;
    let challenge = cms_auth::passkey::from_base64(&asked.challenge).ok_or_else(|| Error::internal("the challenge cannot be read"))?;
    Ok(CreationOptions {
        challenge: Binary(challenge),
        rp: SiteEntity { id: site.id().to_owned(), name: site.name().to_owned() },
        user: UserEntity {
            id: Binary(account.id.to_string().into_bytes()),
            name: account.email.to_string(),
            display_name: account.name.map_or_else(|| account.email.to_string(), str::to_owned),
        },
        pub_key_cred_params: ALGORITHMS.map(|alg| KeyKind { kind: PUBLIC_KEY.to_owned(), alg }).to_vec(),
        timeout: TIMEOUT,
        attestation: "none".to_owned(),
        authenticator_selection: AuthenticatorSelection {
            resident_key: "preferred".to_owned(),
            user_verification: site.user_verification().to_owned(),
        },
        exclude_credentials: account
            .known
            .iter()
            .map(|passkey| CredentialDescriptor::new(passkey.credential_id.clone(), passkey.transports.clone()))
            .collect(),
    })
}

/// A new passkey that is the one that was asked for.
pub(crate) struct Registered {
    /// The account that it was asked for.
    pub(crate) account: UserId,
    /// What it was going to be called.
    pub(crate) name: Option<String>,
    passkey: Passkey,
    transports: Vec<String>,
}

/// Checks that a new passkey is the one that was asked for.
pub(crate) async fn check(
    cx: &mut Cx<'_>,
    purpose: &str,
    user: Option<UserId>,
    credential: RegistrationCredential,
) -> Result<Registered, Error> {
    let transports = known_transports(&credential.response.transports);
    let response = credential.response;
    let name = challenge_of(&response.client_data_json.0).ok_or_else(|| rejected(&PasskeyError::Malformed))?;
    let (asked, asked_user) = challenge::take::<Registration>(cx, &name).await?;
    if asked.purpose != purpose || asked_user != user {
        return Err(Error::new(Code::ChallengeExpired));
    }
    let made = Made { id: &credential.raw_id.0, client_data: &response.client_data_json.0, attestation: &response.attestation_object.0 };
    let passkey = site(cx).await?.check_made(&asked.state, made).map_err(|error| rejected(&error))?;
    Ok(Registered { account: asked.account, name: asked.name, passkey, transports })
}

/// Keeps a passkey that was checked.
pub(crate) async fn keep(
    cx: &mut Cx<'_>,
    permit: &Permit<to::Account>,
    registered: &Registered,
    name: &str,
) -> Result<StoredPasskey, Error> {
    let Registered { passkey, transports, .. } = registered;
    let stored = StoredPasskey {
        id: cx.new_id(),
        credential_id: passkey.id.clone(),
        user: permit.account(),
        name: name.to_owned(),
        credential: passkey.stored.clone(),
        transports: transports.clone(),
        user_verified: passkey.user_verified,
        backup_eligible: passkey.backup_eligible,
        backed_up: passkey.backed_up,
        created_at: cx.now(),
        last_used_at: None,
    };
    cx.tx().await?.passkeys().insert(permit, &stored).await?;
    Ok(stored)
}

/// How an authenticator says it can be reached, as far as we know the words.
fn known_transports(said: &[String]) -> Vec<String> {
    TRANSPORTS.into_iter().filter(|known| said.iter().any(|said| said == known)).map(str::to_owned).collect()
}

/// The site, as authenticators know it.
pub(crate) async fn site(cx: &Cx<'_>) -> Result<RelyingParty, Error> {
    let title = site::title(cx.read()).await?;
    let site = RelyingParty::new(cx.product().origin().as_str(), title.as_deref()).map_err(Error::internal)?;
    Ok(site.requiring_verification(cx.options().policies.require_user_verification))
}

fn rejected(error: &PasskeyError) -> Error {
    tracing::debug!(%error, "a new passkey was not accepted");
    Error::new(Code::PasskeyRejected)
}
