//! Signing in with a passkey. Nothing here tells strangers who has an account.

use std::time::Duration;

use cms_auth::{
    decoy::DecoyKey,
    passkey::{Asked, RelyingParty, Signed, TIMEOUT, challenge_of, from_base64},
};
use cms_domain::{
    access::Access,
    id::UserId,
    user::{Email, User},
};
use cms_frame::{
    Code, Cx, Error, Kind,
    failures::Failures,
    operation::{Http, Limit, Operation, Tool},
};
use cms_storage::StoredPasskey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    binary::Binary,
    challenge,
    registration::{CHALLENGE_LIFE, CredentialDescriptor, site},
    session::{self, Method, SignedIn},
    vouched,
};

/// What a browser needs to have a passkey used: the JSON of `PublicKeyCredentialRequestOptions` (WebAuthn §5.5), as
/// `PublicKeyCredential.parseRequestOptionsFromJSON` reads it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestOptions {
    /// What the authenticator has to sign.
    pub challenge: Binary,
    /// The site's host.
    pub rp_id: String,
    /// How long the user may take, in milliseconds.
    pub timeout: u32,
    /// `preferred`: best is an authenticator that verifies its user. `required` where the site takes no other.
    pub user_verification: String,
    /// The passkeys of the address that was named; without one the authenticator finds its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow_credentials: Vec<CredentialDescriptor>,
}

/// A used passkey, as the browser hands it over: the JSON of a `PublicKeyCredential`. What browsers add to it is not looked at.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInCredential {
    /// Id of the credential.
    pub id: Binary,
    /// The same.
    pub raw_id: Binary,
    /// `public-key`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The authenticator's answer.
    pub response: AssertionResponse,
    /// `platform` or `cross-platform`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authenticator_attachment: Option<String>,
}

/// What an authenticator signed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssertionResponse {
    /// What the browser asked of it.
    #[serde(rename = "clientDataJSON")]
    pub client_data_json: Binary,
    /// What it says of itself.
    pub authenticator_data: Binary,
    /// The signature over both.
    pub signature: Binary,
    /// The account that the passkey is for.
    pub user_handle: Option<Binary>,
}

/// What was asked for.
#[derive(Debug, Serialize, Deserialize)]
struct SignIn {
    /// What the answer is checked with.
    state: String,
    /// Who has to answer.
    who: Who,
}

/// Who has to answer.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Who {
    /// Whoever has a passkey of this site.
    Anybody,
    /// The user with the address that was named.
    User(UserId),
    /// There is no such user.
    Nobody,
}

impl challenge::Question for SignIn {
    const KIND: &'static str = "passkey_sign_in";
    const LIFE: Duration = CHALLENGE_LIFE;
}

/// Begin to sign in with a passkey.
///
/// Without an address the authenticator finds its own passkey. With one, the answer names the passkeys of its account; an address
/// without an account has invented ones, the same every time.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeginSignIn {
    /// Who wants to sign in.
    pub email: Option<Email>,
}

/// What to ask the authenticator.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct SignInOptions {
    /// Always true.
    pub success: bool,
    /// For `navigator.credentials.get`.
    pub options: RequestOptions,
}

/// Name of the setting with the secret that decoys are made with.
const DECOY_KEY: &str = "passkey_decoy_key";

impl Operation for BeginSignIn {
    const ID: &'static str = "passkey.begin_sign_in";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("beginPasskeySignIn", "/auth/passkey/options").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    type Output = SignInOptions;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SignInOptions, Error> {
        let site = site(cx).await?;
        let asked = site.ask_to_sign().map_err(Error::internal)?;
        let (who, allow_credentials) = match &self.email {
            Some(email) => credentials_of(cx, email).await?,
            None => (Who::Anybody, Vec::new()),
        };
        challenge::ask(cx, &asked.challenge, None, &SignIn { state: asked.state.clone(), who }).await?;
        SignInOptions::new(&site, &asked, allow_credentials)
    }
}

impl SignInOptions {
    /// What to ask the authenticator for the answer to a challenge.
    pub(crate) fn new(site: &RelyingParty, asked: &Asked, allow_credentials: Vec<CredentialDescriptor>) -> Result<Self, Error> {
        let challenge = from_base64(&asked.challenge).ok_or_else(|| Error::internal("the challenge cannot be read"))?;
        let options = RequestOptions {
            challenge: Binary(challenge),
            rp_id: site.id().to_owned(),
            timeout: TIMEOUT,
            user_verification: site.user_verification().to_owned(),
            allow_credentials,
        };
        Ok(Self { success: true, options })
    }
}

/// The passkeys of an address, real or invented. Both are looked for, whatever is found: how long it takes tells nothing.
async fn credentials_of(cx: &mut Cx<'_>, email: &Email) -> Result<(Who, Vec<CredentialDescriptor>), Error> {
    let stored = match cx.read().settings().get(DECOY_KEY).await? {
        Some(stored) => stored,
        None => cx.tx().await?.settings().set_if_absent(&vouched::note()?, DECOY_KEY, &DecoyKey::generate()?).await?,
    };
    let key = DecoyKey::from_text(&stored).ok_or_else(|| Error::internal("the stored key of decoys cannot be read"))?;
    let invented = key.decoys(email.as_str()).into_iter().map(|decoy| {
        let transports = decoy.transports.iter().map(|&transport| transport.to_owned()).collect();
        CredentialDescriptor::new(decoy.id, transports)
    });
    let user = cx.read().users().by_email(email).await?.map(|user| user.id);
    let passkeys = cx.read().passkeys().for_user(user.unwrap_or_else(|| UserId::from_parts(0, 0))).await?;
    let real: Vec<_> = passkeys.into_iter().map(|passkey| CredentialDescriptor::new(passkey.credential_id, passkey.transports)).collect();
    Ok(match user {
        Some(user) if !real.is_empty() => (Who::User(user), real),
        _ => (Who::Nobody, invented.collect()),
    })
}

/// Sign in with a passkey.
///
/// Opens a session. Whatever is wrong with the answer, the refusal is the same.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FinishSignIn {
    /// The authenticator's answer.
    pub credential: SignInCredential,
}

impl Operation for FinishSignIn {
    const ID: &'static str = "passkey.sign_in";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("finishPasskeySignIn", "/auth/passkey/verify").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::FOLLOW);
    const FAILURES: Failures = &[&[Code::SignInFailed]];
    type Output = SignedIn;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SignedIn, Error> {
        match prove(cx, self.credential).await {
            Ok(signature) => session::open(cx, &signature, &signature.user, &Method::Passkey).await,
            Err(error) if matches!(error.code().kind(), Kind::Internal | Kind::Unavailable) => Err(error),
            Err(error) => {
                tracing::debug!(%error, "a passkey opened nothing");
                Err(Error::new(Code::SignInFailed))
            }
        }
    }
}

/// What a passkey signed, if everything is right about it.
async fn prove(cx: &mut Cx<'_>, credential: SignInCredential) -> Result<Signature, Error> {
    let name = credential.challenge()?;
    let (asked, _) = challenge::take::<SignIn>(cx, &name).await?;
    let signature = Signature::check(cx, &asked.state, &credential).await?;
    // Whose passkey it is has to agree with who was asked (§7.2, step 6).
    match asked.who {
        Who::Anybody if !signature.names_its_user => return Err(refused("the passkey does not say which account it is for")),
        Who::User(asked) if asked != signature.user.id => return Err(refused("the passkey is another user's")),
        Who::Nobody => return Err(refused("nobody was asked")),
        _ => {}
    }
    signature.note(cx).await?;
    Ok(signature)
}

fn refused(what: &str) -> Error {
    Error::with(Code::SignInFailed, what)
}

impl SignInCredential {
    /// The challenge that it answers.
    pub(crate) fn challenge(&self) -> Result<String, Error> {
        challenge_of(&self.response.client_data_json.0).ok_or_else(|| refused("the client data cannot be read"))
    }
}

/// A passkey that signed what it was asked to.
pub(crate) struct Signature {
    /// Whose passkey it is.
    pub(crate) user: User,
    /// Whether the authenticator says so too.
    names_its_user: bool,
    before: StoredPasskey,
    after: StoredPasskey,
}

impl Signature {
    /// Checks the answer to a challenge, of which `state` was kept.
    pub(crate) async fn check(cx: &Cx<'_>, state: &str, credential: &SignInCredential) -> Result<Self, Error> {
        let response = &credential.response;
        let found = cx.read().passkeys().by_credential(&credential.raw_id.0).await?;
        let signed = Signed {
            id: &credential.raw_id.0,
            client_data: &response.client_data_json.0,
            authenticator_data: &response.authenticator_data.0,
            signature: &response.signature.0,
        };
        let site = site(cx).await?;
        let Some((before, user)) = found else {
            site.check_nobody(state, signed);
            return Err(refused("there is no such passkey"));
        };
        let used = site.check_signed(state, &before.credential, signed).map_err(|error| refused(&error.to_string()))?;
        let handle = response.user_handle.as_ref().filter(|handle| !handle.0.is_empty());
        if handle.is_some_and(|handle| handle.0 != user.id.to_string().as_bytes()) {
            return Err(refused("the passkey is for another account"));
        }
        let after = StoredPasskey {
            credential: used.stored,
            user_verified: used.user_verified,
            backup_eligible: used.backup_eligible,
            backed_up: used.backed_up,
            last_used_at: Some(cx.now()),
            ..before.clone()
        };
        Ok(Self { names_its_user: handle.is_some(), user, before, after })
    }

    /// Notes that the passkey was used.
    pub(crate) async fn note(&self, cx: &mut Cx<'_>) -> Result<(), Error> {
        Ok(cx.tx().await?.passkeys().used(&self.before, &self.after).await?)
    }
}
