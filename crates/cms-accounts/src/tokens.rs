//! Personal access tokens.

use cms_auth::token::NewToken;
use cms_domain::{
    access::{Access, Actor, Permission, Refusal, Scopes, to},
    event::Event,
    id::{TokenId, UserId},
    time::Timestamp,
    user::{Email, User},
};
use cms_frame::{
    Code, Cx, Error, Policies,
    failures::{Failures, THING},
    operation::{Http, Limit, Operation, Proof, Tool},
};
use cms_storage::StoredToken;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::notices::{self, Notice};

/// How many access tokens that work a user may have: one for each program, with room to replace them. The list stays a page.
const MAX_TOKENS: i64 = 50;

/// Create an access token.
///
/// The token is shown once and stored only as a hash. Without `user` it is the caller's own.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "name": "another", "scopes": ["content:read"] }))]
pub struct CreateToken {
    /// Whose token, by address. Only the operator at the command line can name another user.
    pub user: Option<Email>,
    /// What the token is for.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// What it may be used for; the role must allow each.
    #[schemars(length(min = 1))]
    pub scopes: Scopes,
    /// When it ends; never without, unless the site limits the age of tokens: then it has to end by that age.
    pub expires_at: Option<Timestamp>,
}

/// A token, with its secret.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedToken {
    /// The token. It is not shown again.
    pub token: String,
    /// What is known of it afterwards.
    pub info: TokenView,
}

/// What is known of a token.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenView {
    /// Identifies the token.
    pub id: TokenId,
    /// What the token is for.
    pub name: String,
    /// How it begins.
    pub prefix: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// Whose token.
    pub user_id: UserId,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// When a token ends: when its user said, or at the age that no token exceeds.
pub(crate) fn end(policies: &Policies, created_at: Timestamp, expires_at: Option<Timestamp>) -> Option<Timestamp> {
    let oldest = policies.token_max_age.map(|age| created_at.after(age));
    expires_at.into_iter().chain(oldest).min()
}

impl TokenView {
    /// A token, as its user is shown it.
    pub fn new(token: StoredToken, policies: &Policies) -> Self {
        Self {
            expires_at: end(policies, token.created_at, token.expires_at),
            id: token.id,
            name: token.name,
            prefix: token.prefix,
            scopes: token.scopes,
            user_id: token.user,
            last_used_at: token.last_used_at,
            created_at: token.created_at,
        }
    }
}

impl Operation for CreateToken {
    const ID: &'static str = "token.create";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("createToken", "/admin/api-tokens").created().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::FOLLOW);
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[&[Code::TokenLimit, Code::NotFound]];
    type Output = CreatedToken;

    fn check(&self) -> Result<(), Error> {
        if !(1..=100).contains(&self.name.chars().count()) {
            return Err(Error::issue("name", "LENGTH", "has 1 to 100 characters"));
        }
        if self.scopes.is_empty() {
            return Err(Error::issue("scopes", "TOO_FEW", "names at least one scope"));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<CreatedToken, Error> {
        let now = cx.now();
        if self.expires_at.is_some_and(|at| at <= now) {
            return Err(Error::issue("expiresAt", "PAST", "is in the past"));
        }
        let policies = cx.options().policies.clone();
        if let Some(age) = policies.token_max_age
            && self.expires_at.is_none_or(|at| at > now.after(age))
        {
            let latest = now.after(age);
            return Err(Error::issue("expiresAt", "TOO_LATE", format!("is at the latest {latest}: this site has no older tokens")));
        }
        let user = owner(cx, self.user.as_ref()).await?;
        let permit = cx.permit(to::Account(user.id))?;
        // Taken, so that of two requests at once the second counts the token of the first, and nobody is disabled meanwhile.
        let taken = cx.tx().await?.users().lock(user.id).await?;
        let user = taken.filter(|user| !user.disabled).ok_or_else(|| Error::new(Code::AccountDisabled))?;
        let made_after = policies.token_max_age.map(|age| now.before(age));
        if cx.read().tokens().count(user.id, now, made_after).await? >= MAX_TOKENS {
            return Err(Error::new(Code::TokenLimit));
        }
        if let Some(scope) = self.scopes.iter().find(|scope| scope.least_role() > user.role) {
            let message = format!("the scope `{scope}` needs the role {}, the user is {}", scope.least_role(), user.role);
            return Err(Error::issue("scopes", "INSUFFICIENT_ROLE", message));
        }
        let made = NewToken::make(cx.product().token_prefix.as_str())?;
        let stored = StoredToken {
            id: cx.new_id(),
            user: user.id,
            name: self.name,
            prefix: made.shown,
            scopes: self.scopes,
            expires_at: self.expires_at,
            last_used_at: None,
            created_at: now,
        };
        cx.tx().await?.tokens().insert(&permit, &stored, &made.hash).await?;
        cx.emit(Event::Token { token: stored.id });
        cx.audit(
            "token",
            stored.id,
            &json!({ "user": stored.user, "name": stored.name, "scopes": stored.scopes, "expiresAt": stored.expires_at }),
        );
        notices::tell(cx, stored.user, Notice::TokenMade(&stored.name)).await?;
        Ok(CreatedToken { token: made.text, info: TokenView::new(stored, &policies) })
    }
}

/// Whose token it will be: the caller's, or whoever the operator names.
async fn owner(cx: &Cx<'_>, named: Option<&Email>) -> Result<User, Error> {
    let found = match (cx.actor(), named) {
        (Actor::System, Some(email)) => cx.read().users().by_email(email).await?,
        (_, Some(_)) => return Err(Refusal::System.into()),
        (actor, None) => match actor.user() {
            Some(user) => cx.read().users().by_id(user).await?,
            None => return Err(Error::issue("user", "REQUIRED", "names the user the token is for")),
        },
    };
    found.ok_or_else(|| Error::with(Code::NotFound, "there is no such user"))
}

/// List the caller's access tokens.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListTokens {}

/// The caller's access tokens.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TokenList {
    /// The tokens, the newest first; no more than a user may have.
    pub items: Vec<TokenView>,
}

impl Operation for ListTokens {
    const ID: &'static str = "token.list";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::get("listTokens", "/admin/api-tokens").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = TokenList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<TokenList, Error> {
        let Some(user) = cx.actor().user() else {
            return Ok(TokenList { items: Vec::new() });
        };
        let tokens = cx.read().tokens().for_user(user).await?;
        let policies = &cx.options().policies;
        Ok(TokenList { items: tokens.into_iter().map(|token| TokenView::new(token, policies)).collect() })
    }
}

/// Revoke an access token.
///
/// It stops working at once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokeToken {
    /// The token.
    pub id: TokenId,
}

/// The token is revoked.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RevokedToken {
    /// Always true.
    pub revoked: bool,
}

impl Operation for RevokeToken {
    const ID: &'static str = "token.revoke";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::delete("revokeToken", "/admin/api-tokens/{id}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = RevokedToken;

    async fn run(self, cx: &mut Cx<'_>) -> Result<RevokedToken, Error> {
        // Somebody else's token is as good as none. The operator may revoke any.
        let was_there = if let Some(user) = cx.actor().user() {
            let permit = cx.permit(to::Account(user))?;
            cx.tx().await?.tokens().delete(&permit, self.id).await?
        } else {
            let permit = cx.permit(to::ManageUsers)?;
            cx.tx().await?.tokens().delete_any(&permit, self.id).await?
        };
        if !was_there {
            return Err(Error::with(Code::NotFound, "you have no such token"));
        }
        cx.emit(Event::Token { token: self.id });
        cx.audit("token", self.id, &Value::Null);
        Ok(RevokedToken { revoked: true })
    }
}
