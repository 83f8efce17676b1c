//! Users.

use cms_domain::{
    access::{Access, Permission, Scope, to},
    bounded::Bounded,
    event::Event,
    id::{PasskeyId, UserId},
    page::{Cursor, PageSize},
    patch::Patch,
    rev::Rev,
    time::Timestamp,
    user::{Email, PersonName, Role, User},
};
use cms_frame::{
    Code, Cookie, Cx, Error, audit_line,
    failures::{Failures, PAGED, STALE, THING, USER},
    must_be_current,
    operation::{Http, Operation, Proof, Tool},
    page::{Page, Paging},
};
use cms_storage::{FoundUser, StoredConnection, StoredPasskey, UserFilter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    endings,
    roles::{self, Slept, no_user},
    sessions::{self, SessionList, SessionsRevoked},
};

/// Create a user.
///
/// For the operator at the command line, who needs no account to make the first one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateUser {
    /// Unique address.
    pub email: Email,
    /// Name to show.
    pub name: Option<PersonName>,
    /// Role.
    pub role: Role,
}

/// A user, as others see it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserView {
    /// Identifies the user.
    pub id: UserId,
    /// Unique address.
    pub email: Email,
    /// Whether somebody who reads mail to the address confirmed it.
    pub email_verified: bool,
    /// Name to show.
    pub name: Option<String>,
    /// Picture to show.
    pub avatar_url: Option<String>,
    /// Role.
    pub role: Role,
    /// Whether the user is locked out.
    pub disabled: bool,
    /// When the user last signed in.
    pub last_login: Option<Timestamp>,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When the account last changed.
    pub updated_at: Timestamp,
    /// Names this state: send it with a change, and the change is refused if somebody else was faster.
    #[serde(rename = "_rev")]
    pub rev: Rev,
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        let rev = user.rev();
        let User { id, email, email_verified, name, avatar_url, role, disabled, welcomed: _, last_sign_in_at, created_at, updated_at } =
            user;
        Self { id, email, email_verified, name, avatar_url, role, disabled, last_login: last_sign_in_at, created_at, updated_at, rev }
    }
}

/// Who somebody is, in short.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserSummary {
    /// Identifies the user.
    pub id: UserId,
    /// Unique address.
    pub email: Email,
    /// Name to show.
    pub name: Option<String>,
    /// Role.
    pub role: Role,
}

impl From<&User> for UserSummary {
    fn from(user: &User) -> Self {
        Self { id: user.id, email: user.email.clone(), name: user.name.clone(), role: user.role }
    }
}

impl Operation for CreateUser {
    const ID: &'static str = "user.create";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[&[Code::EmailInUse]];
    type Output = UserView;

    async fn run(self, cx: &mut Cx<'_>) -> Result<UserView, Error> {
        let permit = cx.permit(to::ManageUsers)?;
        let name = self.name.map(PersonName::into_string);
        let user = User { name, ..User::new(cx.new_id(), self.email, self.role, cx.now()) };
        cx.tx().await?.users().insert(&permit, &user).await?;
        cx.emit(Event::User { user: user.id });
        cx.audit("user", user.id, &json!({ "email": user.email, "role": user.role }));
        Ok(user.into())
    }
}

/// List the users, the newest first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListUsers {
    /// A part of the name or the address, in upper or lower case.
    pub search: Option<Bounded<1, 100>>,
    /// Only users with this role.
    pub role: Option<Role>,
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

/// A user, and how they can sign in.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedUser {
    /// The user.
    #[serde(flatten)]
    pub user: UserView,
    /// How many passkeys they have.
    pub credential_count: i64,
    /// Providers that they have an account at.
    pub oauth_providers: Vec<String>,
}

impl From<FoundUser> for ListedUser {
    fn from(found: FoundUser) -> Self {
        Self { user: found.user.into(), credential_count: found.passkeys, oauth_providers: found.providers }
    }
}

impl Operation for ListUsers {
    const ID: &'static str = "user.list";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::UsersRead);
    const HTTP: Http = Http::get("listUsers", "/admin/users");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[PAGED];
    type Output = Page<ListedUser>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Page<ListedUser>, Error> {
        let mut filter = UserFilter { search: self.search.map(Bounded::into_string), role: self.role, ..UserFilter::default() };
        let paging = Paging::new(format!("user.list {filter:?}"), self.limit);
        filter.after = paging.after(self.cursor)?;
        let found = cx.read().users().find(&filter, paging.rows()).await?;
        Ok(paging.page(found, |last| (last.user.created_at, last.user.id))?.map(ListedUser::from))
    }
}

/// Get a user, with what they can sign in with.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetUser {
    /// The user.
    pub id: UserId,
}

/// A user.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UserItem {
    /// The user.
    pub item: UserDetails,
}

/// A user, and what they can sign in with.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserDetails {
    /// The user.
    #[serde(flatten)]
    pub user: ListedUser,
    /// Their passkeys, the oldest first.
    pub credentials: Vec<UserPasskey>,
    /// Their accounts at providers, the oldest first.
    pub oauth_accounts: Vec<UserConnection>,
}

/// An account of a user at a provider, as an admin sees it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserConnection {
    /// The provider.
    pub provider: String,
    /// The address that the provider told last.
    pub email: Option<String>,
    /// The name that the provider told last.
    pub name: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last signed in its user.
    pub last_used_at: Option<Timestamp>,
}

/// A passkey of a user, as an admin sees it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserPasskey {
    /// Identifies the passkey.
    pub id: PasskeyId,
    /// What its user calls it.
    pub name: String,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
}

impl From<StoredConnection> for UserConnection {
    fn from(connection: StoredConnection) -> Self {
        let StoredConnection { provider, email, name, created_at, last_used_at, .. } = connection;
        Self { provider, email, name, created_at, last_used_at }
    }
}

impl From<StoredPasskey> for UserPasskey {
    fn from(passkey: StoredPasskey) -> Self {
        let StoredPasskey { id, name, created_at, last_used_at, .. } = passkey;
        Self { id, name, created_at, last_used_at }
    }
}

impl Operation for GetUser {
    const ID: &'static str = "user.get";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::UsersRead);
    const HTTP: Http = Http::get("getUser", "/admin/users/{id}");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = UserItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<UserItem, Error> {
        details(cx, self.id).await
    }
}

async fn details(cx: &Cx<'_>, id: UserId) -> Result<UserItem, Error> {
    let filter = UserFilter { id: Some(id), ..UserFilter::default() };
    let found = cx.read().users().find(&filter, 1).await?.pop().ok_or_else(no_user)?;
    let credentials = cx.read().passkeys().for_user(id).await?.into_iter().map(UserPasskey::from);
    let oauth_accounts = cx.read().connections().for_user(id).await?.into_iter().map(UserConnection::from);
    Ok(UserItem { item: UserDetails { user: found.into(), credentials: credentials.collect(), oauth_accounts: oauth_accounts.collect() } })
}

/// Change a user.
///
/// What is left out stays. An address that is set here counts as not confirmed. Nobody changes their own role, and the last
/// admin who is not disabled stays one. Who gets a lower role than users are invited with loses the invitations that they sent. An access
/// token can lower a role and change a name; a higher role or another address needs a session, or the answer is `SESSION_REQUIRED`, and a
/// recent proof of who asks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateUser {
    /// The user.
    pub id: UserId,
    /// Name to show; null for none.
    #[serde(default)]
    pub name: Patch<PersonName>,
    /// Unique address.
    pub email: Option<Email>,
    /// Role.
    pub role: Option<Role>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

impl Operation for UpdateUser {
    const ID: &'static str = "user.update";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::UsersManage);
    const HTTP: Http = Http::put("updateUser", "/admin/users/{id}");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[USER, STALE, &[Code::EmailInUse, Code::SessionRequired, Code::ReauthenticationRequired]];
    type Output = UserItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<UserItem, Error> {
        let changed = roles::change_and(cx, self.id, Slept::Ends, |user| {
            must_be_current(self.rev.as_ref(), &user.rev())?;
            self.name.map(PersonName::into_string).apply(&mut user.name);
            user.email = self.email.unwrap_or_else(|| user.email.clone());
            user.role = self.role.unwrap_or(user.role);
            Ok(())
        })
        .await?;
        let (before, after) = (&changed.before, &changed.after);
        if after.role > before.role || after.email != before.email {
            cx.require_recent_proof().await?;
        }
        let details = audit_line::changes([
            ("name", json!(before.name), json!(after.name)),
            ("email", json!(before.email), json!(after.email)),
            ("role", json!(before.role), json!(after.role)),
        ]);
        cx.audit("user", self.id, &Value::Object(details));
        self::details(cx, self.id).await
    }
}

/// Disable a user.
///
/// They are signed out everywhere at once, and links that were sent to them open nothing any more. Their access tokens, what they granted
/// to applications, invitations that they sent and preview links that they made sleep: nobody can use them until the user is enabled again,
/// which also decides whether they come back. To end all of it for ever, end the user's access.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DisableUser {
    /// The user.
    pub id: UserId,
}

/// It is done.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Done {
    /// Always true.
    pub success: bool,
}

impl Operation for DisableUser {
    const ID: &'static str = "user.disable";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::UsersManage);
    const HTTP: Http = Http::post("disableUser", "/admin/users/{id}/disable");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[USER];
    type Output = Done;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Done, Error> {
        let changed = roles::change(cx, self.id, |user| user.disabled = true).await?;
        cx.audit("user", self.id, &changed.disabled());
        Ok(Done { success: true })
    }
}

/// Enable a user.
///
/// They sign in anew. Access tokens, what they granted to applications, invitations that they sent and preview links that they made slept
/// while they were disabled; they end now, unless they are to come back.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnableUser {
    /// The user.
    pub id: UserId,
    /// Whether what slept comes back: access tokens, applications, invitations and preview links.
    #[serde(default)]
    pub restore_access: bool,
}

impl Operation for EnableUser {
    const ID: &'static str = "user.enable";
    const ACCESS: Access = Access::Account(Permission::UsersManage);
    const HTTP: Http = Http::post("enableUser", "/admin/users/{id}/enable");
    const TOOL: Tool = Tool::Hidden;
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[USER];
    type Output = Done;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Done, Error> {
        let slept = if self.restore_access { Slept::Wakes } else { Slept::Ends };
        let changed = roles::change_and(cx, self.id, slept, |user| {
            user.disabled = false;
            Ok(())
        })
        .await?;
        let mut details = changed.disabled();
        details["restoreAccess"] = json!(self.restore_access);
        cx.audit("user", self.id, &details);
        Ok(Done { success: true })
    }
}

/// List a user's sessions.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListUserSessions {
    /// The user.
    pub id: UserId,
}

impl Operation for ListUserSessions {
    const ID: &'static str = "user.list_sessions";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::UsersRead);
    const HTTP: Http = Http::get("listUserSessions", "/admin/users/{id}/sessions");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = SessionList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SessionList, Error> {
        cx.read().users().by_id(self.id).await?.ok_or_else(no_user)?;
        sessions::list(cx, self.id, sessions::own(cx)).await
    }
}

/// End all sessions of a user.
///
/// What they began and nobody has finished ends with them: an e-mail address that waits to be confirmed, and applications and devices
/// that were approved and have not fetched their tokens.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokeUserSessions {
    /// The user.
    pub id: UserId,
}

impl Operation for RevokeUserSessions {
    const ID: &'static str = "user.revoke_sessions";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::UsersManage);
    const HTTP: Http = Http::delete("revokeUserSessions", "/admin/users/{id}/sessions");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = SessionsRevoked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SessionsRevoked, Error> {
        cx.read().users().by_id(self.id).await?.ok_or_else(no_user)?;
        let permit = cx.permit(to::Account(self.id))?;
        let ended = endings::sign_out(cx, &permit, None).await?;
        if cx.actor().user() == Some(self.id) {
            cx.keep(Cookie::SignedOut);
        }
        cx.audit("user", self.id, &json!({ "sessions": ended.sessions, "addresses": ended.addresses }));
        Ok(SessionsRevoked { revoked: ended.sessions })
    }
}
