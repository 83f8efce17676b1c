//! Letting somebody back in who lost every way to sign in.

use cms_domain::{
    access::{Access, Permission, to},
    id::UserId,
    user::Email,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Limit, Operation, Proof, Tool},
};
use cms_storage::LinkKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    endings,
    links::{self, Page},
    mail::letters::Writer,
    roles,
};

/// Send a user a link to sign in with.
///
/// For somebody who lost their passkeys. Where the letter cannot be sent, the link is answered, to be handed over by other means. An
/// e-mail address that waits to be confirmed is given up; using the link ends all other sessions of the user. It is good as long as
/// whoever sent it may still send it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SendRecovery {
    /// The user.
    pub id: UserId,
}

/// The link is made.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoverySent {
    /// Always true.
    pub success: bool,
    /// Whether the link was mailed.
    pub sent: bool,
    /// What became of the letter.
    pub message: String,
    /// The link, when it could not be mailed. Whoever has it signs in as the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_url: Option<String>,
}

impl Operation for SendRecovery {
    const ID: &'static str = "user.send_recovery";
    const ACCESS: Access = Access::Account(Permission::UsersManage);
    const HTTP: Http = Http::post("sendRecovery", "/admin/users/{id}/send-recovery").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::MAKES);
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[THING];
    type Output = RecoverySent;

    async fn run(self, cx: &mut Cx<'_>) -> Result<RecoverySent, Error> {
        // The link is there before the letter is: no transaction waits for a mail server.
        let made = cx.part(MakeRecovery { id: self.id }).await?;
        let letter = Writer::of(cx).await?.recovery(made.email, made.url.clone())?;
        let handed_over = links::hand_over(cx, &letter, made.url).await;
        Ok(RecoverySent { success: true, sent: handed_over.sent, message: handed_over.message, recovery_url: handed_over.url })
    }
}

/// Make a link that a user can sign in with.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MakeRecovery {
    /// The user.
    pub id: UserId,
}

/// A link that a user can sign in with.
#[derive(Serialize, JsonSchema)]
pub struct RecoveryMade {
    /// The user's address.
    pub email: Email,
    /// The link.
    pub url: String,
}

impl Operation for MakeRecovery {
    const ID: &'static str = "user.make_recovery";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = RecoveryMade;

    async fn run(self, cx: &mut Cx<'_>) -> Result<RecoveryMade, Error> {
        let (_, user) = roles::lock(cx, self.id).await?;
        if user.disabled {
            return Err(Error::with(Code::AccountDisabled, "the account is disabled: enable it first"));
        }
        let permit = cx.permit(to::Account(user.id))?;
        // Somebody else may have what its user lost.
        endings::begun(cx, &permit).await?;
        let secret = links::make_for_user(cx, LinkKind::Recovery, user.email.clone(), user.id, links::SIGN_IN_LIFE).await?;
        cx.audit("user", user.id, &Value::Null);
        Ok(RecoveryMade { email: user.email, url: Page::MagicLink.with(cx, &secret) })
    }
}
