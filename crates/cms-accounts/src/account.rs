//! Who the caller is, and what they say of themselves.

use cms_domain::{
    access::{Access, Actor, Permission, Scopes, Via, to},
    event::Event,
    id::UserId,
    patch::Patch,
    rev::Rev,
    time::Timestamp,
    user::{Email, PersonName, Role, User},
};
use cms_frame::{
    Cx, Error,
    failures::{Failures, STALE},
    must_be_current,
    operation::{Http, Operation, Tool},
};
use cms_storage::LinkKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{proof, roles::no_user};

/// Get the caller's account.
///
/// Programs that carry an access token may ask as well, with any scope.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetAccount {}

/// The caller's account.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountView {
    /// Identifies the user.
    pub id: UserId,
    /// Unique address.
    pub email: Email,
    /// Whether somebody who reads mail to the address confirmed it.
    pub email_verified: bool,
    /// The address that was asked for and waits to be confirmed; absent when none does. Programs are not told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending_email: Option<PendingEmail>,
    /// Name to show.
    pub name: Option<String>,
    /// Role.
    pub role: Role,
    /// Picture to show.
    pub avatar_url: Option<String>,
    /// Whether the user has not dismissed the welcome yet.
    pub is_first_login: bool,
    /// Until when the session counts as proven: credentials and roles can be changed without proving again who one is. The instant may be over.
    /// Null where no proof is asked for.
    pub proven_until: Option<Timestamp>,
    /// What the role may do.
    pub permissions: Vec<Permission>,
    /// What tokens and applications can be given here: scopes that open something.
    pub offered_scopes: Scopes,
    /// What the access token that was sent may be used for; absent when the caller is signed in without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Scopes>,
    /// Names this state: send it with a change, and the change is refused if somebody else was faster.
    #[serde(rename = "_rev")]
    pub rev: Rev,
}

/// An address that becomes the account's when somebody who reads mail to it confirms it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PendingEmail {
    /// The address.
    pub email: Email,
    /// When the link was sent there.
    pub sent_at: Timestamp,
    /// Until when the link can be used.
    pub expires_at: Timestamp,
}

impl AccountView {
    async fn new(cx: &Cx<'_>, user: User) -> Result<Self, Error> {
        let via = match cx.actor() {
            Actor::User(caller) => Some(&caller.via),
            _ => None,
        };
        let scopes = via.and_then(Via::scopes).cloned();
        let pending = match scopes {
            Some(_) => None,
            None => cx.read().links().open_for_user(LinkKind::EmailChange, user.id, cx.now()).await?,
        };
        Ok(Self {
            id: user.id,
            rev: user.rev(),
            email: user.email,
            email_verified: user.email_verified,
            pending_email: pending.map(|link| PendingEmail { email: link.email, sent_at: link.created_at, expires_at: link.expires_at }),
            name: user.name,
            role: user.role,
            avatar_url: user.avatar_url,
            is_first_login: !user.welcomed,
            proven_until: proof::proven_until(cx).await?,
            permissions: Permission::ALL
                .iter()
                .copied()
                .filter(|permission| permission.least_role() <= user.role)
                .filter(|permission| *permission != Permission::ContentEditOwnDraft || cx.options().contributors_edit_own_drafts)
                .collect(),
            offered_scopes: cx.cms().catalog().scopes(),
            scopes,
        })
    }
}

impl Operation for GetAccount {
    const ID: &'static str = "account.get";
    const ACCESS: Access = Access::SignedIn;
    const HTTP: Http = Http::get("getAccount", "/auth/me").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = AccountView;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AccountView, Error> {
        let user = cx.read().users().by_id(cx.account()?).await?.ok_or_else(no_user)?;
        AccountView::new(cx, user).await
    }
}

/// Change the caller's name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateAccount {
    /// Name to show; null for none.
    #[serde(default)]
    pub name: Patch<PersonName>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

impl Operation for UpdateAccount {
    const ID: &'static str = "account.update";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::put("updateAccount", "/auth/me").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[STALE];
    type Output = AccountView;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AccountView, Error> {
        let user = change(cx, self.rev.as_ref(), |user| self.name.map(PersonName::into_string).apply(&mut user.name)).await?;
        cx.audit("user", user.id, &json!({ "name": user.name }));
        AccountView::new(cx, user).await
    }
}

/// Changes what the caller says of themselves.
async fn change(cx: &mut Cx<'_>, rev: Option<&Rev>, change: impl FnOnce(&mut User)) -> Result<User, Error> {
    let (id, now) = (cx.account()?, cx.now());
    let permit = cx.permit(to::Account(id))?;
    let users = cx.tx().await?.users();
    let mut user = users.lock(id).await?.ok_or_else(no_user)?;
    must_be_current(rev, &user.rev())?;
    change(&mut user);
    user.updated_at = now.later_than(user.updated_at);
    users.update_account(&permit, &user).await?;
    cx.emit(Event::User { user: id });
    Ok(user)
}

/// Note what the caller has seen.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoteSeen {
    /// What they have seen.
    pub action: Seen,
}

/// What a user has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Seen {
    /// The welcome: it is not shown again.
    DismissWelcome,
}

/// It is noted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Noted {
    /// Always true.
    pub success: bool,
}

impl Operation for NoteSeen {
    const ID: &'static str = "account.note_seen";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("noteSeen", "/auth/me").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = Noted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Noted, Error> {
        match self.action {
            Seen::DismissWelcome => {
                let user = change(cx, None, |user| user.welcomed = true).await?;
                cx.audit("user", user.id, &Value::Null);
            }
        }
        Ok(Noted { success: true })
    }
}
