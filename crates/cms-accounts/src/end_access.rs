//! Ending what lets a user in: all of it, one sort of it, or a single thing.
//!
//! It only takes access away, so that a script with an admin's token can do it when somebody leaves at night.

use std::collections::BTreeSet;

use cms_domain::{
    access::{Access, Permission, Scope, to},
    event::Event,
    id::{GrantId, PasskeyId, SessionId, TokenId, UserId},
    user::User,
};
use cms_frame::{
    Code, Cookie, Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool},
};
use cms_storage::LinkKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{endings, passkeys::NO_PASSKEYS, roles, sessions, users::Done, ways};

/// Who ends what lets others in: also a program.
const ENDS: Access = Access::Needs(Scope::Admin, Permission::UsersManage);

/// A sort of what lets a user in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AccessKind {
    /// Sessions, with what these began: an e-mail address that waits to be confirmed, approvals that nobody has fetched.
    Sessions,
    /// Passkeys, the last one included.
    Passkeys,
    /// Access tokens.
    Tokens,
    /// What applications were granted.
    Grants,
    /// Accounts at providers.
    Connections,
    /// Links that were sent to them.
    Links,
    /// An e-mail address that waits to be confirmed.
    EmailChange,
    /// Invitations that they sent and nobody has accepted, and recovery links that they had sent to others.
    Invitations,
    /// Links that show drafts to whoever has them.
    Previews,
}

/// End what lets a user in, for ever.
///
/// Everything, unless some sorts are named. It can be asked at any time, also of a user who is disabled, and as often as one likes. The
/// account stays as it is, and can be let in again by a recovery link; disable the user to keep them out. The last admin who could sign in
/// keeps a way to.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EndUserAccess {
    /// The user.
    pub id: UserId,
    /// What ends; all of it without.
    #[schemars(length(min = 1))]
    pub kinds: Option<BTreeSet<AccessKind>>,
}

/// How much of each sort ended.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccessEnded {
    /// Sessions.
    pub sessions: u64,
    /// Passkeys.
    pub passkeys: u64,
    /// Access tokens.
    pub tokens: u64,
    /// What applications were granted.
    pub grants: u64,
    /// Accounts at providers.
    pub connections: u64,
    /// Links that were sent to them.
    pub links: u64,
    /// E-mail addresses that waited to be confirmed.
    pub email_changes: u64,
    /// Invitations, and recovery links for others.
    pub invitations: u64,
    /// Preview links.
    pub previews: u64,
}

impl Operation for EndUserAccess {
    const ID: &'static str = "user.end_access";
    const ACCESS: Access = ENDS;
    const HTTP: Http = Http::post("endUserAccess", "/admin/users/{id}/end-access");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING, &[Code::LastAdmin]];
    type Output = AccessEnded;

    fn check(&self) -> Result<(), Error> {
        if self.kinds.as_ref().is_some_and(BTreeSet::is_empty) {
            return Err(Error::issue("kinds", "TOO_FEW", "names at least one sort; leave it out to end everything"));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<AccessEnded, Error> {
        let permit = cx.permit(to::Account(self.id))?;
        let held = Leaving::of(cx, self.id).await?;
        let ends = |kind| self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind));
        let mut ended = AccessEnded::default();
        if ends(AccessKind::Sessions) {
            let out = endings::sign_out(cx, &permit, None).await?;
            (ended.sessions, ended.email_changes) = (out.sessions, out.addresses);
            forget_own(cx, self.id, None);
        }
        let tx = cx.tx().await?;
        if ends(AccessKind::EmailChange) {
            ended.email_changes += tx.links().delete_kind_for_user(&permit, LinkKind::EmailChange).await?;
        }
        if ends(AccessKind::Links) {
            ended.links = tx.links().delete_for_user(&permit, &held.user.email).await?;
        }
        if ends(AccessKind::Invitations) {
            ended.invitations = tx.links().delete_by_inviter(&permit).await?;
        }
        if ends(AccessKind::Previews) {
            ended.previews = tx.previews().delete_by_maker(&permit).await?;
        }
        if ends(AccessKind::Tokens) {
            ended.tokens = tx.tokens().delete_all(&permit).await?;
        }
        if ends(AccessKind::Grants) {
            tx.oauth_grants().delete_approved(&permit).await?;
            ended.grants = tx.oauth_grants().delete_for_user(&permit).await?;
        }
        if ends(AccessKind::Passkeys) {
            ended.passkeys = tx.passkeys().delete_all(&permit).await?;
        }
        if ends(AccessKind::Connections) {
            ended.connections = tx.connections().delete_all(&permit).await?;
        }
        held.check(cx).await?;
        cx.emit(Event::SignedOut { user: self.id });
        cx.audit("user", self.id, &serde_json::to_value(&ended)?);
        Ok(ended)
    }
}

/// A user who is about to lose what lets them in.
struct Leaving {
    user: User,
    admins: Vec<UserId>,
    could_sign_in: bool,
}

impl Leaving {
    /// Takes the user, and the admins, of whom one stays able to sign in.
    async fn of(cx: &mut Cx<'_>, id: UserId) -> Result<Self, Error> {
        let (admins, user) = roles::lock(cx, id).await?;
        // Nobody adds or removes a passkey of theirs until the end.
        cx.tx().await?.passkeys().hold(id).await?;
        let could_sign_in = ways::has_any(cx, user.id).await?;
        Ok(Self { user, admins, could_sign_in })
    }

    /// Refuses to leave the site without an admin who can sign in, where there was one.
    async fn check(&self, cx: &Cx<'_>) -> Result<(), Error> {
        if !self.could_sign_in || !self.admins.contains(&self.user.id) {
            return Ok(());
        }
        for admin in &self.admins {
            if let Some(admin) = cx.read().users().by_id(*admin).await?
                && ways::has_any(cx, admin.id).await?
            {
                return Ok(());
            }
        }
        Err(Error::with(Code::LastAdmin, "this is the last admin who can sign in: see that another one can first"))
    }
}

/// Has the browser that asks forget a session of its own that ended.
fn forget_own(cx: &mut Cx<'_>, user: UserId, ended: Option<SessionId>) {
    let own = sessions::own(cx);
    if cx.actor().user() == Some(user) && own.is_some() && ended.is_none_or(|ended| own == Some(ended)) {
        cx.keep(Cookie::SignedOut);
    }
}

/// End a session of a user.
///
/// What it may have begun and nobody has finished ends with it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokeUserSession {
    /// The user.
    pub id: UserId,
    /// The session.
    pub session_id: SessionId,
}

impl Operation for RevokeUserSession {
    const ID: &'static str = "user.revoke_session";
    const ACCESS: Access = ENDS;
    const HTTP: Http = Http::delete("revokeUserSession", "/admin/users/{id}/sessions/{sessionId}");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = Done;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Done, Error> {
        let permit = cx.permit(to::Account(self.id))?;
        roles::lock(cx, self.id).await?;
        if !cx.tx().await?.sessions().delete(&permit, self.session_id).await? {
            return Err(Error::with(Code::NotFound, "the user has no such session"));
        }
        endings::begun(cx, &permit).await?;
        forget_own(cx, self.id, Some(self.session_id));
        cx.audit("session", self.session_id, &json!({ "user": self.id }));
        Ok(Done { success: true })
    }
}

/// Remove a passkey of a user.
///
/// Also their last one; but the last admin who could sign in keeps a way to.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokeUserPasskey {
    /// The user.
    pub id: UserId,
    /// The passkey.
    pub passkey_id: PasskeyId,
}

impl Operation for RevokeUserPasskey {
    const ID: &'static str = "user.revoke_passkey";
    const ACCESS: Access = ENDS;
    const HTTP: Http = Http::delete("revokeUserPasskey", "/admin/users/{id}/passkeys/{passkeyId}");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING, &[Code::LastAdmin]];
    type Output = Done;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Done, Error> {
        let permit = cx.permit(to::Account(self.id))?;
        let held = Leaving::of(cx, self.id).await?;
        if !cx.tx().await?.passkeys().delete(&permit, self.passkey_id).await? {
            let has_any = !cx.read().passkeys().for_user(self.id).await?.is_empty();
            return Err(Error::with(Code::NotFound, if has_any { "the user has no such passkey" } else { NO_PASSKEYS }));
        }
        held.check(cx).await?;
        cx.audit("passkey", self.passkey_id, &json!({ "user": self.id }));
        Ok(Done { success: true })
    }
}

/// Revoke an access token of a user.
///
/// It stops working at once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokeUserToken {
    /// The user.
    pub id: UserId,
    /// The token.
    pub token_id: TokenId,
}

impl Operation for RevokeUserToken {
    const ID: &'static str = "user.revoke_token";
    const ACCESS: Access = ENDS;
    const HTTP: Http = Http::delete("revokeUserToken", "/admin/users/{id}/tokens/{tokenId}");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = Done;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Done, Error> {
        let permit = cx.permit(to::Account(self.id))?;
        roles::lock(cx, self.id).await?;
        if !cx.tx().await?.tokens().delete(&permit, self.token_id).await? {
            return Err(Error::with(Code::NotFound, "the user has no such token"));
        }
        cx.emit(Event::Token { token: self.token_id });
        cx.audit("token", self.token_id, &json!({ "user": self.id }));
        Ok(Done { success: true })
    }
}

/// Take back what a user granted to an application.
///
/// Its tokens stop working at once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokeUserGrant {
    /// The user.
    pub id: UserId,
    /// The grant.
    pub grant_id: GrantId,
}

impl Operation for RevokeUserGrant {
    const ID: &'static str = "user.revoke_grant";
    const ACCESS: Access = ENDS;
    const HTTP: Http = Http::delete("revokeUserGrant", "/admin/users/{id}/grants/{grantId}");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = Done;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Done, Error> {
        let permit = cx.permit(to::Account(self.id))?;
        roles::lock(cx, self.id).await?;
        let Some(client) = cx.tx().await?.oauth_grants().delete_own(&permit, self.grant_id).await? else {
            return Err(Error::with(Code::NotFound, "the user has granted no such thing"));
        };
        cx.emit(Event::SignedOut { user: self.id });
        cx.audit("oauth_grant", self.grant_id, &json!({ "user": self.id, "client": client }));
        Ok(Done { success: true })
    }
}
