//! Proving again who one is, with a passkey.

use std::time::Duration;

use cms_domain::{
    access::{Access, Permission},
    id::SessionId,
};
use cms_frame::{
    Code, Cx, Error, Kind,
    failures::{Failures, THING},
    operation::{Http, Limit, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    challenge,
    passkey_sign_in::{SignInCredential, SignInOptions, Signature},
    proof::Proven,
    registration::{CHALLENGE_LIFE, CredentialDescriptor, site},
    session::{self, Method},
};

/// What was asked for.
#[derive(Debug, Serialize, Deserialize)]
struct PasskeyProof {
    /// What the answer is checked with.
    state: String,
    /// The session whose proof it renews.
    session: SessionId,
}

impl challenge::Question for PasskeyProof {
    const KIND: &'static str = "passkey_proof";
    const LIFE: Duration = CHALLENGE_LIFE;
}

/// Begin to prove with a passkey who the caller is.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeginPasskeyProof {}

impl Operation for BeginPasskeyProof {
    const ID: &'static str = "proof.begin_passkey";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("beginPasskeyProof", "/auth/reauth/passkey/options").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    const FAILURES: Failures = &[THING];
    type Output = SignInOptions;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SignInOptions, Error> {
        let (user, session) = session::of(cx.actor()).ok_or_else(|| Error::new(Code::SessionRequired))?;
        let passkeys = cx.read().passkeys().for_user(user).await?;
        if passkeys.is_empty() {
            return Err(Error::with(Code::NotFound, "you have no passkey: prove in another way who you are"));
        }
        let known = passkeys.into_iter().map(|passkey| CredentialDescriptor::new(passkey.credential_id, passkey.transports));
        let site = site(cx).await?;
        let asked = site.ask_to_sign().map_err(Error::internal)?;
        challenge::ask(cx, &asked.challenge, Some(user), &PasskeyProof { state: asked.state.clone(), session }).await?;
        SignInOptions::new(&site, &asked, known.collect())
    }
}

/// Prove with a passkey who the caller is.
///
/// Their session counts as proven, and has another secret from now on: its cookie is set anew. Whatever is wrong with the answer, the refusal is the same.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FinishPasskeyProof {
    /// The authenticator's answer.
    pub credential: SignInCredential,
}

impl Operation for FinishPasskeyProof {
    const ID: &'static str = "proof.passkey";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("finishPasskeyProof", "/auth/reauth/passkey").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::FOLLOW);
    const FAILURES: Failures = &[THING, &[Code::ChallengeExpired, Code::ProofRejected, Code::SignInFailed]];
    type Output = Proven;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Proven, Error> {
        match prove(cx, &self.credential).await {
            Ok(()) => Proven::renew(cx, &Method::Passkey).await,
            Err(error) if matches!(error.code().kind(), Kind::Internal | Kind::Unavailable) => Err(error),
            Err(error) => {
                tracing::debug!(%error, "a passkey proved nothing");
                Err(Error::new(Code::ProofRejected))
            }
        }
    }
}

/// Makes sure that the passkey is the caller's, and answers what was asked for this session.
async fn prove(cx: &mut Cx<'_>, credential: &SignInCredential) -> Result<(), Error> {
    let caller = session::of(cx.actor());
    let (asked, user) = challenge::take::<PasskeyProof>(cx, &credential.challenge()?).await?;
    let signature = Signature::check(cx, &asked.state, credential).await?;
    if caller != Some((signature.user.id, asked.session)) || user != Some(signature.user.id) {
        return Err(Error::with(Code::ProofRejected, "the passkey or the challenge is another session's"));
    }
    signature.note(cx).await
}
