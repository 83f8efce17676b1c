//! How lately the user of a session proved who they are: the one rule, and what a user is told of it.

use cms_domain::{
    access::{Access, Actor, Permission},
    time::Timestamp,
};
use cms_frame::{
    Cms, Code, Cx, Error,
    operation::{Http, Operation, Proof, Tool},
};
use cms_storage::Reader;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    session::{self, Method},
    ways,
};

/// Refuses the user of a session whose last proof of who they are is too old. The row is read each time: what is remembered of sessions
/// would be late.
pub(crate) async fn require(cms: &Cms, reader: Reader<'_>, actor: &Actor, now: Timestamp) -> Result<(), Error> {
    let Some((user, id)) = session::of(actor) else { return Ok(()) };
    let authenticated_at = reader.sessions().authenticated_at(user, id).await?.ok_or_else(|| Error::new(Code::NotAuthenticated))?;
    if authenticated_at.after(Proof::GRACE) > now {
        return Ok(());
    }
    let methods = ways::of(cms, reader, user).await?;
    Err(Error::new(Code::ReauthenticationRequired).details(json!({ "methods": methods, "within": Proof::GRACE.as_secs() })))
}

/// Until when the caller's session counts as proven; none where nobody asks.
pub(crate) async fn proven_until(cx: &Cx<'_>) -> Result<Option<Timestamp>, Error> {
    let Some((user, id)) = session::of(cx.actor()) else { return Ok(None) };
    let authenticated_at = cx.read().sessions().authenticated_at(user, id).await?;
    Ok(authenticated_at.map(|at| at.after(Proof::GRACE)))
}

/// The caller proved again who they are.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proven {
    /// Always true.
    pub success: bool,
    /// Until when credentials and roles can be changed without another proof.
    pub proven_until: Timestamp,
}

impl Proven {
    /// Renews the proof of the caller's session.
    pub(crate) async fn renew(cx: &mut Cx<'_>, method: &Method) -> Result<Self, Error> {
        session::renew(cx, method).await?;
        Ok(Self { success: true, proven_until: cx.now().after(Proof::GRACE) })
    }
}

/// Get how the caller can prove again who they are.
///
/// Changing credentials and roles takes a proof that is at most ten minutes old. Signing in is one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetProof {}

/// How the caller can prove again who they are.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProofView {
    /// Until when the last proof counts. The instant may be over. Null where no proof is asked for.
    pub proven_until: Option<Timestamp>,
    /// What the caller can use, the strongest first: `passkey`, `magicLink`, and `provider:<id>` for accounts that are connected.
    pub methods: Vec<String>,
    /// For how many seconds a proof counts.
    pub within: u64,
}

impl Operation for GetProof {
    const ID: &'static str = "proof.get";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::get("getProof", "/auth/reauth").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = ProofView;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ProofView, Error> {
        let user = cx.account()?;
        let methods = ways::of(cx.cms(), cx.read(), user).await?;
        Ok(ProofView {
            proven_until: proven_until(cx).await?,
            methods: methods.iter().map(ToString::to_string).collect(),
            within: Proof::GRACE.as_secs(),
        })
    }
}
