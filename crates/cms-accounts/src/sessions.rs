//! A user's sessions: see them, end one, end all others, sign out.

use cms_domain::{
    access::{Access, Actor, Permission, Via, to},
    event::Event,
    id::{SessionId, UserId},
    time::Timestamp,
};
use cms_frame::{
    Code, Cookie, Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Proof, Tool},
};
use cms_storage::StoredSession;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{endings, session};

/// List the caller's sessions.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListSessions {}

/// What is known of a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Identifies the session.
    pub id: SessionId,
    /// How its user signed in: `passkey`, `magic_link`, `recovery`, `invitation`, `sign_up`, `setup` or `provider:<id>`.
    pub method: String,
    /// The address it was opened from.
    pub address: Option<String>,
    /// What the browser called itself.
    pub user_agent: Option<String>,
    /// Whether it is the one that asks.
    pub current: bool,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Timestamp,
    /// When it ends, used or not.
    pub expires_at: Timestamp,
}

impl SessionView {
    fn new(session: StoredSession, current: Option<SessionId>) -> Self {
        Self {
            current: current == Some(session.id),
            id: session.id,
            method: session.method,
            address: session.address,
            user_agent: session.agent,
            created_at: session.created_at,
            last_used_at: session.last_used_at,
            expires_at: session.expires_at,
        }
    }
}

/// A user's sessions.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionList {
    /// The sessions, the newest first.
    pub items: Vec<SessionView>,
}

/// The session the caller came with, and whose it is.
fn current(cx: &Cx<'_>) -> Result<(UserId, Option<SessionId>), Error> {
    match cx.actor() {
        Actor::User(caller) => match caller.via {
            Via::Session(id) => Ok((caller.user, Some(id))),
            _ => Ok((caller.user, None)),
        },
        _ => Err(Error::new(Code::NotAuthenticated)),
    }
}

/// The session the caller came with.
pub fn own(cx: &Cx<'_>) -> Option<SessionId> {
    current(cx).ok().and_then(|(_, session)| session)
}

/// A user's sessions that have not ended.
pub(crate) async fn list(cx: &Cx<'_>, user: UserId, current: Option<SessionId>) -> Result<SessionList, Error> {
    Ok(SessionList { items: open_of(cx, user, current, usize::MAX).await? })
}

/// A user's sessions that have not ended, the newest first, so many at most. Whoever asks may see them.
pub async fn open_of(cx: &Cx<'_>, user: UserId, current: Option<SessionId>, limit: usize) -> Result<Vec<SessionView>, Error> {
    let (now, idle) = (cx.now(), cx.options().sessions.idle);
    let sessions = cx.read().sessions().for_user(user, now, now.before(idle), limit).await?;
    Ok(sessions.into_iter().map(|session| SessionView::new(session, current)).collect())
}

impl Operation for ListSessions {
    const ID: &'static str = "session.list";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::get("listSessions", "/auth/sessions").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = SessionList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SessionList, Error> {
        let (user, session) = current(cx)?;
        list(cx, user, session).await
    }
}

/// End one of the caller's sessions.
///
/// Ending another one than the one that asks also ends what sessions of the caller began and nobody has finished: an e-mail address that
/// waits to be confirmed, and applications and devices that were approved and have not fetched their tokens.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokeSession {
    /// The session.
    pub id: SessionId,
}

/// The sessions have ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionsRevoked {
    /// How many sessions ended.
    pub revoked: u64,
}

impl Operation for RevokeSession {
    const ID: &'static str = "session.revoke";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::delete("revokeSession", "/auth/sessions/{id}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING, &[Code::ReauthenticationRequired]];
    type Output = SessionsRevoked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SessionsRevoked, Error> {
        let (user, session) = current(cx)?;
        // A thief would sign the owner out.
        if session != Some(self.id) {
            cx.require_recent_proof().await?;
        }
        // Somebody else's session is as good as none.
        let permit = cx.permit(to::Account(user))?;
        if !cx.tx().await?.sessions().delete(&permit, self.id).await? {
            return Err(Error::with(Code::NotFound, "you have no such session"));
        }
        if session == Some(self.id) {
            // They leave a browser, and mistrust nobody.
            cx.keep(Cookie::SignedOut);
            cx.emit(Event::SignedOut { user });
        } else {
            endings::begun(cx, &permit).await?;
        }
        cx.audit("session", self.id, &Value::Null);
        Ok(SessionsRevoked { revoked: 1 })
    }
}

/// End the caller's other sessions.
///
/// For when a device is lost, or somebody else may know more than they should. The session that asks goes on with another secret, which
/// its cookie has from now on: a copy of the old one opens nothing. What those sessions began and nobody has finished ends
/// with them: an e-mail address that waits to be confirmed, and applications and devices that were approved and have not fetched their
/// tokens. Passkeys, connections, access tokens and connected applications stay; each is in a list and can be ended there.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokeOtherSessions {}

impl Operation for RevokeOtherSessions {
    const ID: &'static str = "session.revoke_others";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::delete("revokeOtherSessions", "/auth/sessions").internal();
    const TOOL: Tool = Tool::Hidden;
    const PROOF: Proof = Proof::Recent;
    type Output = SessionsRevoked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SessionsRevoked, Error> {
        let (user, session) = current(cx)?;
        let permit = cx.permit(to::Account(user))?;
        let ended = endings::sign_out(cx, &permit, session).await?;
        if session.is_some() {
            // Somebody may have a copy of this one's secret, too.
            session::rekey(cx, None).await?;
        }
        cx.audit("user", user, &json!({ "sessions": ended.sessions, "addresses": ended.addresses }));
        Ok(SessionsRevoked { revoked: ended.sessions })
    }
}

/// Sign out.
///
/// Ends the session of the browser that asks. Asking twice, or without a session, is no error.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignOut {}

/// The caller is signed out.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SignedOut {
    /// Always true.
    pub success: bool,
}

impl Operation for SignOut {
    const ID: &'static str = "session.sign_out";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("signOut", "/auth/logout").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = SignedOut;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SignedOut, Error> {
        cx.keep(Cookie::SignedOut);
        if let Ok((user, Some(session))) = current(cx) {
            let permit = cx.permit(to::Account(user))?;
            cx.tx().await?.sessions().delete(&permit, session).await?;
            cx.emit(Event::SignedOut { user });
            cx.audit("session", session, &Value::Null);
        }
        Ok(SignedOut { success: true })
    }
}
