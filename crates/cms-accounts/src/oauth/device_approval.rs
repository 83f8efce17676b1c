//! A user approves a program that shows them a code (RFC 8628, 3.3).

use cms_domain::{
    access::{Access, Actor, Permission, Scopes, to},
    id::UserId,
    time::Timestamp,
    user::Role,
};
use cms_frame::{
    Code, Cx, Error,
    failures::Failures,
    operation::{Http, Limit, Operation, Tool},
};
use cms_storage::{DeviceStatus, StoredClient, StoredDeviceCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    authorize::Decision,
    device,
    request::AskingClient,
    scopes::{self, ScopeView},
};
use crate::notices::{self, Notice};

/// How many codes a user may try: looking at one and approving it are two.
const GUESSES: Limit = Limit::five_minutes(20);
/// How often one address may ask about a code: several people behind one, who each look and decide and mistype once.
const TYPED: Limit = Limit::a_minute(20);

/// Describe the program that shows a code.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DescribeDevice {
    /// What the user typed. Hyphens, spaces and case do not matter.
    #[schemars(length(min = 1, max = 40))]
    pub code: String,
}

/// The program that shows a code.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceView {
    /// The code as it is shown.
    pub user_code: String,
    /// The application.
    pub client: AskingClient,
    /// The resource that it wants to use.
    pub resource: Option<String>,
    /// What it asks for.
    pub scopes: Vec<ScopeView>,
    /// For how many seconds it would have that at most, unless the user takes it back.
    pub lasts: u64,
    /// When it began to wait.
    pub created_at: Timestamp,
    /// Until when it waits.
    pub expires_at: Timestamp,
}

/// Who decides.
fn decider(cx: &Cx<'_>) -> Result<(UserId, Role), Error> {
    match cx.actor() {
        Actor::User(caller) => Ok((caller.user, caller.role)),
        _ => Err(Error::new(Code::NotAuthenticated)),
    }
}

/// What waits under a code, and for which application. Each look counts as a guess.
async fn find(cx: &Cx<'_>, user: UserId, typed: &str) -> Result<(StoredDeviceCode, StoredClient), Error> {
    cx.count(&format!("user_code {user}"), GUESSES).await?;
    let unknown = || Error::new(Code::InvalidCode);
    let code = device::normalised(typed).ok_or_else(unknown)?;
    let found = cx.read().device_codes().by_user_code(&code).await?.ok_or_else(unknown)?;
    if found.expires_at <= cx.now() {
        return Err(Error::new(Code::ExpiredCode));
    }
    if found.status != DeviceStatus::Pending {
        return Err(unknown());
    }
    let client = cx.read().oauth_clients().by_id(&found.client).await?.ok_or_else(unknown)?;
    Ok((found, client))
}

impl Operation for DescribeDevice {
    const ID: &'static str = "oauth.describe_device";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::get("describeDevice", "/oauth/device").internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(TYPED);
    const FAILURES: Failures = &[&[Code::InvalidCode, Code::ExpiredCode]];
    type Output = DeviceView;

    async fn run(self, cx: &mut Cx<'_>) -> Result<DeviceView, Error> {
        let (user, role) = decider(cx)?;
        let (found, client) = find(cx, user, &self.code).await?;
        Ok(DeviceView {
            user_code: device::shown(&found.user_code),
            scopes: scopes::views(&found.scopes, role),
            client: client.into(),
            lasts: cx.options().policies.grant_absolute.as_secs(),
            resource: found.resource,
            created_at: found.created_at,
            expires_at: found.expires_at,
        })
    }
}

/// Decide about the program that shows a code.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideDevice {
    /// What the user typed. Hyphens, spaces and case do not matter.
    #[schemars(length(min = 1, max = 40))]
    pub user_code: String,
    /// What the user decided.
    #[serde(default)]
    pub action: Decision,
    /// What the user left in of what the program asks for; all of it without.
    pub scopes: Option<Scopes>,
}

/// The user decided.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DeviceDecided {
    /// Whether the program gets in.
    pub authorized: bool,
}

impl Operation for DecideDevice {
    const ID: &'static str = "oauth.decide_device";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("decideDevice", "/oauth/device/authorize").internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(TYPED);
    const FAILURES: Failures = &[&[Code::ReauthenticationRequired, Code::InvalidCode, Code::ExpiredCode, Code::InsufficientRole]];
    type Output = DeviceDecided;

    async fn run(self, cx: &mut Cx<'_>) -> Result<DeviceDecided, Error> {
        let (user, role) = decider(cx)?;
        let (found, client) = find(cx, user, &self.user_code).await?;
        let granted = match self.action {
            Decision::Deny => None,
            Decision::Approve => {
                let left = self.scopes.map_or_else(|| found.scopes.clone(), |left| found.scopes.intersection(&left).copied().collect());
                let granted = scopes::held_to(&left, client.scopes.as_ref(), role);
                if granted.is_empty() {
                    return Err(Error::new(Code::InsufficientRole));
                }
                cx.require_recent_proof().await?;
                Some(granted)
            }
        };
        let now = cx.now();
        let permit = cx.permit(to::Account(user))?;
        if !cx.tx().await?.device_codes().decide(&permit, &found.user_code, granted.as_ref(), now).await? {
            // Another decision was quicker.
            return Err(Error::new(Code::InvalidCode));
        }
        cx.audit("oauth_client", &client.id, &json!({ "approved": granted }));
        if granted.is_some() {
            notices::tell(cx, user, Notice::Granted(&client.name)).await?;
        }
        Ok(DeviceDecided { authorized: granted.is_some() })
    }
}
