//! Gateway mode: an identity-aware proxy in front of the site is the only way in, and says with each request who sends it.

use cms_auth::{
    gateway::{Gateway, GatewayError, Vouched},
    token,
};
use cms_domain::{
    access::{Access, Actor, Caller, Via, to},
    event::Event,
    id::UserId,
    user::{Email, PersonName, Role, User},
};
use cms_frame::{
    Client, Cms, Code, Cx, Door, Error,
    failures::Failures,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Accounts, roles, setup};

/// What somebody is told who does not come through the gateway.
pub(crate) const ABSENT: &str = "No Access JWT present: the gateway does not cover this address, or its session is over";

/// The gateway, and who gets what who comes through it.
pub struct GatewayMode {
    /// The gateway.
    pub gateway: Gateway,
    /// The header that it puts its statement into, in lower case.
    pub header: String,
    /// The cookie that has the same statement where the header is missing.
    pub cookie: String,
    /// Who gets what.
    pub policy: GatewayPolicy,
}

/// Who gets what who comes through the gateway.
#[derive(Debug, Clone)]
pub struct GatewayPolicy {
    /// Whether somebody without an account gets one.
    pub auto_provision: bool,
    /// The role of whoever is in none of the groups below.
    pub default_role: Role,
    /// Whether the role follows the groups at every sign-in. Otherwise they give the first one, and admins change it.
    pub sync_roles: bool,
    /// The roles of groups, by their names.
    pub role_mapping: Vec<(String, Role)>,
}

impl GatewayPolicy {
    /// The role of the first of a person's groups that has one.
    fn role(&self, groups: &[String]) -> Role {
        let mapped = |group: &String| self.role_mapping.iter().find(|(name, _)| name == group).map(|(_, role)| *role);
        groups.iter().find_map(mapped).unwrap_or(self.default_role)
    }
}

/// Who sends a request that the gateway vouches for.
pub async fn identify(cms: &Cms, statement: &str, client: &Client) -> Result<Actor, Error> {
    let Accounts { services, identities } = Accounts::of(cms);
    let Some(mode) = &services.gateway else { return Ok(Actor::Anonymous) };
    let now = cms.now();
    let vouched = mode.gateway.vouch(statement, now).await.map_err(not_believed)?;
    let hash = token::hash(statement);
    if let Some(actor) = identities.vouched(&hash, now) {
        return Ok(actor);
    }
    let seen = identities.seen();
    let enter = EnterByGateway::new(mode, &vouched);
    let entered = cms.call(&Actor::System, Door::Local, client, enter).await?.output;
    let caller = Caller { user: entered.user, role: entered.role, via: Via::Host };
    Ok(identities.remember_vouched(hash, caller, vouched.believed_until, now, seen))
}

fn not_believed(error: GatewayError) -> Error {
    match error {
        GatewayError::Unavailable(_) => {
            tracing::warn!(cause = source(&error), "the gateway cannot be asked");
            Error::new(Code::ProviderUnavailable).because(error)
        }
        error => Error::with(Code::InvalidGatewayToken, error.to_string()),
    }
}

/// Why the gateway could not be asked. The errors below say nothing of what was sent.
fn source(error: &GatewayError) -> Option<String> {
    std::error::Error::source(error).map(ToString::to_string)
}

/// Let in whoever comes through the gateway.
///
/// Somebody new gets an account, if the site gives them one; the first becomes Admin. Name and role follow the gateway as the site
/// has it.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnterByGateway {
    email: Email,
    name: Option<PersonName>,
    role: Role,
    auto_provision: bool,
    sync_roles: bool,
}

impl EnterByGateway {
    fn new(mode: &GatewayMode, vouched: &Vouched) -> Self {
        let local = vouched.email.as_str().split('@').next();
        Self {
            email: vouched.email.clone(),
            name: vouched.name.as_deref().or(local).and_then(|name| name.parse().ok()),
            role: mode.policy.role(&vouched.groups),
            auto_provision: mode.policy.auto_provision,
            sync_roles: mode.policy.sync_roles,
        }
    }

    async fn make(&self, cx: &mut Cx<'_>) -> Result<User, Error> {
        if !self.auto_provision {
            return Err(Error::new(Code::UserNotAuthorized));
        }
        let id: UserId = cx.new_id();
        let first = self.is_first(cx).await?;
        let user = User {
            email_verified: true,
            name: self.name.clone().map(PersonName::into_string),
            ..User::new(id, self.email.clone(), if first { Role::Admin } else { self.role }, cx.now())
        };
        let permit = cx.permit(to::ManageUsers)?;
        cx.tx().await?.users().insert(&permit, &user).await.map_err(|error| {
            let error = Error::from(error);
            // A page sends several requests at once: the account is there when this one looks again.
            if error.code() == Code::EmailInUse { Error::new(Code::Busy) } else { error }
        })?;
        cx.emit(Event::User { user: id });
        cx.audit_as(Some(id), "user", id, &json!({ "role": user.role }));
        Ok(user)
    }

    /// Whether this is the first of all: they become Admin. Others who come at the same moment wait here until that one is there.
    async fn is_first(&self, cx: &mut Cx<'_>) -> Result<bool, Error> {
        cx.tx().await?;
        if setup::is_complete(cx.read()).await? {
            return Ok(false);
        }
        match setup::complete(cx).await {
            Ok(()) => Ok(true),
            Err(error) if error.code() == Code::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// What the gateway knows better than we do.
    async fn follow(&self, cx: &mut Cx<'_>, user: User) -> Result<User, Error> {
        let name = self.name.clone().map(PersonName::into_string);
        if (name.is_none() || user.name == name) && user.email_verified && (!self.sync_roles || user.role == self.role) {
            return Ok(user);
        }
        let follow = |user: &mut User, with_role: bool| {
            user.name = name.clone().or(user.name.take());
            user.email_verified = true;
            if with_role {
                user.role = self.role;
            }
        };
        let changed = match roles::change(cx, user.id, |user| follow(user, self.sync_roles)).await {
            // The site keeps an admin, whatever the groups say.
            Err(error) if error.code() == Code::LastAdmin => {
                tracing::warn!(user = %user.id, "the gateway's groups would leave the site without an admin: the role stays");
                roles::change(cx, user.id, |user| follow(user, false)).await?
            }
            changed => changed?,
        };
        if changed.after.role != changed.before.role {
            let details = json!({ "role": { "from": changed.before.role, "to": changed.after.role } });
            cx.audit_as(Some(user.id), "user", user.id, &details);
        }
        Ok(changed.after)
    }
}

/// Whoever was let in.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EnteredByGateway {
    /// The user.
    pub user: UserId,
    /// Their role.
    pub role: Role,
}

impl Operation for EnterByGateway {
    const ID: &'static str = "gateway.sign_in";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[&[Code::EmailInUse, Code::LastAdmin]];
    type Output = EnteredByGateway;

    async fn run(self, cx: &mut Cx<'_>) -> Result<EnteredByGateway, Error> {
        let user = match cx.tx().await?.reader().users().by_email(&self.email).await? {
            Some(user) if user.disabled => return Err(Error::new(Code::AccountDisabled)),
            Some(user) => self.follow(cx, user).await?,
            None => self.make(cx).await?,
        };
        let now = cx.now();
        cx.tx().await?.users().signed_in(user.id, now).await?;
        Ok(EnteredByGateway { user: user.id, role: user.role })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_persons_groups_that_has_a_role_gives_it() {
        let policy = GatewayPolicy {
            auto_provision: true,
            default_role: Role::Author,
            sync_roles: false,
            role_mapping: vec![("Admins".to_owned(), Role::Admin), ("Editors".to_owned(), Role::Editor)],
        };
        let role = |groups: &[&str]| policy.role(&groups.iter().map(|&group| group.to_owned()).collect::<Vec<_>>());
        assert_eq!(role(&["Staff", "Editors", "Admins"]), Role::Editor);
        assert_eq!(role(&["editors"]), Role::Author);
        assert_eq!(role(&[]), Role::Author);
    }
}
