//! Users.

use cms_domain::{
    access::{Access, Permission},
    event::Event,
    id::UserId,
    time::Timestamp,
    user::{Email, Role, User},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Cx, Error,
    operation::{Http, Operation, Tool},
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
    #[schemars(length(max = 200))]
    pub name: Option<String>,
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
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        let User { id, email, email_verified, name, avatar_url, role, disabled, welcomed: _, last_sign_in_at, created_at, updated_at } =
            user;
        Self { id, email, email_verified, name, avatar_url, role, disabled, last_login: last_sign_in_at, created_at, updated_at }
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
    type Output = UserView;

    async fn run(self, cx: &mut Cx<'_>) -> Result<UserView, Error> {
        let permit = cx.permit(Permission::UsersManage)?;
        let user = User { name: self.name, ..User::new(cx.new_id(), self.email, self.role, cx.now()) };
        cx.tx().await?.users().insert(&permit, &user).await?;
        cx.emit(Event::User { user: user.id });
        cx.audit("user", user.id, &json!({ "email": user.email, "role": user.role }));
        Ok(user.into())
    }
}
