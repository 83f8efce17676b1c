//! The passkeys of whoever is signed in.

use cms_domain::{
    access::{Access, Permission, to},
    id::{PasskeyId, UserId},
    time::Timestamp,
    user::User,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, REGISTRATION, THING},
    operation::{Http, Limit, Operation, Proof, Tool},
};
use cms_storage::StoredPasskey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    notices::{self, Notice},
    registration::{self, CreationOptions, PASSKEY_NAME, RegistrationCredential},
};

/// The most passkeys of an account: more than anybody has devices, few enough for the lists that browsers are sent.
const LIMIT: usize = 10;

/// What passkeys are registered for here.
const PURPOSE: &str = "passkey";

/// What somebody is told of an account without a passkey: its user, and admins. Nobody else learns of it.
pub(crate) const NO_PASSKEYS: &str = "No passkeys registered: an admin can send a recovery link to sign in with and add one";

/// What a passkey is called that nobody gave a name.
const UNNAMED: &str = "Passkey";

/// What is known of a passkey.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyView {
    /// Identifies the passkey.
    pub id: PasskeyId,
    /// What its user calls it.
    pub name: String,
    /// Where the passkey can be.
    pub device_type: DeviceType,
    /// Whether it is on more than one device, or in a backup.
    pub backed_up: bool,
    /// Whether its authenticator verified the user when it was last used.
    pub user_verified: bool,
    /// How its authenticator can be reached: `ble`, `hybrid`, `internal`, `nfc`, `smart-card`, `usb`.
    pub transports: Vec<String>,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it last opened a session.
    pub last_used_at: Option<Timestamp>,
}

/// Where a passkey can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeviceType {
    /// On the device that made it.
    SingleDevice,
    /// On all devices of its user.
    MultiDevice,
}

impl From<StoredPasskey> for PasskeyView {
    fn from(passkey: StoredPasskey) -> Self {
        Self {
            id: passkey.id,
            name: passkey.name,
            device_type: if passkey.backup_eligible { DeviceType::MultiDevice } else { DeviceType::SingleDevice },
            backed_up: passkey.backed_up,
            user_verified: passkey.user_verified,
            transports: passkey.transports,
            created_at: passkey.created_at,
            last_used_at: passkey.last_used_at,
        }
    }
}

/// A name as it is kept: none when it says nothing.
fn name_of(name: Option<&str>) -> Result<Option<String>, Error> {
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    if name.is_some_and(|name| name.chars().count() > PASSKEY_NAME) {
        return Err(Error::issue("name", "LENGTH", format!("has at most {PASSKEY_NAME} characters")));
    }
    Ok(name.map(str::to_owned))
}

/// The caller has no such passkey, or none at all.
async fn no_passkey(cx: &Cx<'_>, user: UserId) -> Result<Error, Error> {
    let has_any = !cx.read().passkeys().for_user(user).await?.is_empty();
    Ok(Error::with(Code::NotFound, if has_any { "you have no such passkey" } else { NO_PASSKEYS }))
}

/// List the caller's passkeys.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListPasskeys {}

/// A user's passkeys.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PasskeyList {
    /// The passkeys, the oldest first.
    pub items: Vec<PasskeyView>,
}

impl Operation for ListPasskeys {
    const ID: &'static str = "passkey.list";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::get("listPasskeys", "/auth/passkey").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = PasskeyList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<PasskeyList, Error> {
        let passkeys = cx.read().passkeys().for_user(cx.account()?).await?;
        Ok(PasskeyList { items: passkeys.into_iter().map(PasskeyView::from).collect() })
    }
}

/// Begin to register another passkey of the caller's.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeginPasskey {
    /// What the passkey will be called, unless the answer says otherwise.
    #[schemars(length(max = PASSKEY_NAME))]
    pub name: Option<String>,
}

/// What to ask the authenticator.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct PasskeyOptions {
    /// For `navigator.credentials.create`.
    pub options: CreationOptions,
}

impl Operation for BeginPasskey {
    const ID: &'static str = "passkey.begin";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("beginPasskey", "/auth/passkey/register/options").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[&[Code::PasskeyLimit]];
    type Output = PasskeyOptions;

    async fn run(self, cx: &mut Cx<'_>) -> Result<PasskeyOptions, Error> {
        let user = user(cx).await?;
        let name = name_of(self.name.as_deref())?;
        let known = cx.read().passkeys().for_user(user.id).await?;
        if known.len() >= LIMIT {
            return Err(Error::new(Code::PasskeyLimit));
        }
        Ok(PasskeyOptions { options: registration::ask_user(cx, PURPOSE, &user, &known, name).await? })
    }
}

/// Register another passkey of the caller's.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RegisterPasskey {
    /// The authenticator's answer.
    pub credential: RegistrationCredential,
    /// What the passkey is called.
    #[schemars(length(max = PASSKEY_NAME))]
    pub name: Option<String>,
}

/// A passkey.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OnePasskey {
    /// The passkey.
    pub passkey: PasskeyView,
}

impl Operation for RegisterPasskey {
    const ID: &'static str = "passkey.register";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("registerPasskey", "/auth/passkey/register/verify").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    // The proof was asked for when this began, in this browser and minutes ago: nobody's authenticator is left with a passkey that is not
    // known here because the proof grew old in between.
    const FAILURES: Failures = &[REGISTRATION, &[Code::PasskeyLimit]];
    type Output = OnePasskey;

    async fn run(self, cx: &mut Cx<'_>) -> Result<OnePasskey, Error> {
        let user = cx.account()?;
        let name = name_of(self.name.as_deref())?;
        let permit = cx.permit(to::Account(user))?;
        let registered = registration::check(cx, PURPOSE, Some(user), self.credential).await?;
        if cx.tx().await?.passkeys().hold(user).await?.len() >= LIMIT {
            return Err(Error::new(Code::PasskeyLimit));
        }
        let name = name.or_else(|| registered.name.clone()).unwrap_or_else(|| UNNAMED.to_owned());
        let passkey = registration::keep(cx, &permit, &registered, &name).await?;
        cx.audit("passkey", passkey.id, &json!({ "name": passkey.name }));
        notices::tell(cx, user, Notice::PasskeyAdded(&passkey.name)).await?;
        Ok(OnePasskey { passkey: passkey.into() })
    }
}

/// The user who asks, as they are stored.
async fn user(cx: &Cx<'_>) -> Result<User, Error> {
    cx.read().users().by_id(cx.account()?).await?.ok_or_else(|| Error::new(Code::NotAuthenticated))
}

/// Rename one of the caller's passkeys.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenamePasskey {
    /// The passkey.
    pub id: PasskeyId,
    /// What it is called from now on.
    #[schemars(length(min = 1, max = PASSKEY_NAME))]
    pub name: String,
}

impl Operation for RenamePasskey {
    const ID: &'static str = "passkey.rename";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::patch("renamePasskey", "/auth/passkey/{id}").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = OnePasskey;

    async fn run(self, cx: &mut Cx<'_>) -> Result<OnePasskey, Error> {
        let user = cx.account()?;
        let Some(name) = name_of(Some(&self.name))? else {
            return Err(Error::issue("name", "LENGTH", "has at least one character that is not a space"));
        };
        let permit = cx.permit(to::Account(user))?;
        if !cx.tx().await?.passkeys().rename(&permit, self.id, &name).await? {
            return Err(no_passkey(cx, user).await?);
        }
        cx.audit("passkey", self.id, &json!({ "name": name }));
        let passkeys = cx.read().passkeys().for_user(user).await?;
        let renamed = passkeys.into_iter().find(|passkey| passkey.id == self.id);
        // It was there when it got its name, and nobody takes it away before the transaction ends.
        let passkey = renamed.ok_or_else(|| Error::internal("a passkey that was renamed is gone"))?;
        Ok(OnePasskey { passkey: passkey.into() })
    }
}

/// Remove one of the caller's passkeys.
///
/// The last one stays: without it its user could not sign in again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemovePasskey {
    /// The passkey.
    pub id: PasskeyId,
}

/// The passkey is gone.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PasskeyRemoved {
    /// Always true.
    pub success: bool,
}

impl Operation for RemovePasskey {
    const ID: &'static str = "passkey.remove";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::delete("removePasskey", "/auth/passkey/{id}").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[THING, &[Code::LastPasskey]];
    type Output = PasskeyRemoved;

    async fn run(self, cx: &mut Cx<'_>) -> Result<PasskeyRemoved, Error> {
        let user = cx.account()?;
        let held = cx.tx().await?.passkeys().hold(user).await?;
        let Some(passkey) = held.iter().find(|passkey| passkey.id == self.id) else {
            return Err(no_passkey(cx, user).await?);
        };
        if held.len() == 1 {
            return Err(Error::new(Code::LastPasskey));
        }
        let permit = cx.permit(to::Account(user))?;
        cx.tx().await?.passkeys().delete(&permit, self.id).await?;
        cx.audit("passkey", self.id, &json!({ "name": passkey.name }));
        notices::tell(cx, user, Notice::PasskeyRemoved(&passkey.name)).await?;
        Ok(PasskeyRemoved { success: true })
    }
}
