//! Proving again who one is, at a provider where one has an account that is connected.

use std::collections::BTreeMap;

use cms_domain::access::{Access, Permission};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Limit, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    enter_by_provider::Purpose,
    provider_sign_in::{self, Begin, BegunSignIn, ReturnPath},
    session,
};

/// Begin to prove at a provider who the caller is.
///
/// The browser goes to the address, where the provider asks its user to sign in anew as far as it can. When it comes back, the session counts as
/// proven; if it was somebody else's account, nothing changes, and the page that the browser ends at has `error=proof_rejected` in its query.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeginProviderProof {
    /// The provider.
    #[schemars(length(max = 32))]
    pub provider: String,
    /// Path and query of the page that the browser ends at. The default is the admin application.
    #[serde(rename = "return")]
    pub return_to: Option<ReturnPath>,
    /// What was filled into the provider's form.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
}

impl Operation for BeginProviderProof {
    const ID: &'static str = "proof.begin_provider";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("beginProviderProof", "/auth/reauth/provider/{provider}").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    const FAILURES: Failures = &[THING, &[Code::ProviderNotFound]];
    type Output = BegunSignIn;

    async fn run(self, cx: &mut Cx<'_>) -> Result<BegunSignIn, Error> {
        let (user, session) = session::of(cx.actor()).ok_or_else(|| Error::new(Code::SessionRequired))?;
        let connections = cx.read().connections().for_user(user).await?;
        if !connections.iter().any(|connection| connection.provider == self.provider) {
            return Err(Error::with(Code::NotFound, "you have no account at this provider that is connected"));
        }
        let purpose = Purpose::Prove { session };
        let begin = Begin { provider: &self.provider, purpose, return_to: self.return_to, fields: self.fields };
        provider_sign_in::begin(cx, Some(user), begin).await
    }
}
