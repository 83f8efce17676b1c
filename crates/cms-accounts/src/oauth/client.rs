//! Applications: how they get tokens, what they may be called, and which one a request is from.

use cms_domain::{
    access::{Scope, Scopes, to},
    time::Timestamp,
};
use cms_frame::Cx;
use cms_storage::StoredClient;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    CLIENT_ID, FaultCode,
    answer::{Stop, bounded, refuse, required},
};
use crate::vouched;

/// The application that is always there: the command line of this product. It is made at its first use, and again when an
/// admin removed it, which signs out whoever used it.
pub const COMMAND_LINE: &str = "cms-cli";
/// How many redirect URIs an application has at most.
pub(super) const REDIRECT_URIS: usize = 20;
/// The longest name of an application.
pub(super) const NAME: usize = 100;

/// How an application gets tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum GrantType {
    /// With a code that a user's browser brings (RFC 6749, 4.1).
    #[serde(rename = "authorization_code")]
    AuthorizationCode,
    /// With a token that came with the ones before (RFC 6749, 6).
    #[serde(rename = "refresh_token")]
    RefreshToken,
    /// With a code that a user types elsewhere (RFC 8628).
    #[serde(rename = "urn:ietf:params:oauth:grant-type:device_code")]
    DeviceCode,
}

impl GrantType {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::AuthorizationCode, Self::RefreshToken, Self::DeviceCode];
    /// What an application uses that does not say.
    pub(super) const UNLESS_NAMED: [Self; 2] = [Self::AuthorizationCode, Self::RefreshToken];

    /// The name that requests give it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AuthorizationCode => "authorization_code",
            Self::RefreshToken => "refresh_token",
            Self::DeviceCode => "urn:ietf:params:oauth:grant-type:device_code",
        }
    }

    /// The one with a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|grant| grant.name() == name)
    }

    /// Whether an application may use it.
    pub(super) fn is_of(self, client: &StoredClient) -> bool {
        client.grant_types.iter().any(|grant| grant == self.name())
    }
}

/// Names of grants, as they are stored: each once, however often it was named.
pub(super) fn names(grants: &[GrantType]) -> Vec<String> {
    GrantType::ALL.iter().filter(|grant| grants.contains(grant)).map(|grant| grant.name().to_owned()).collect()
}

/// Addresses, as they are stored: each once, where it was first named.
pub(super) fn distinct(uris: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut distinct = Vec::new();
    for uri in uris {
        if !distinct.contains(&uri) {
            distinct.push(uri);
        }
    }
    distinct
}

/// The application of a request to the token or device endpoint, if it may use a grant. All of them are public clients: what
/// they are is said, not proven, and what they get is bound to what only they hold.
pub(super) async fn of_request(cx: &mut Cx<'_>, id: Option<&str>, grant: GrantType) -> Result<StoredClient, Stop> {
    bounded(id, CLIENT_ID, "client_id has at most 255 characters")?;
    let id = required(id, "client_id is missing")?;
    let found = match cx.read().oauth_clients().by_id(id).await? {
        None if id == COMMAND_LINE => {
            let client = command_line(cx.now());
            let permit = vouched::by(&client, to::ManageConnections)?;
            cx.tx().await?.oauth_clients().insert(&permit, &client).await?;
            Some(client)
        }
        found => found,
    };
    match found {
        None => refuse(FaultCode::InvalidClient, "the client is not known: register it first"),
        Some(client) if !grant.is_of(&client) => refuse(FaultCode::UnauthorizedClient, "the client may not use this grant"),
        Some(client) => Ok(client),
    }
}

fn command_line(now: Timestamp) -> StoredClient {
    StoredClient {
        id: COMMAND_LINE.to_owned(),
        name: "Command line".to_owned(),
        redirect_uris: Vec::new(),
        grant_types: names(&[GrantType::DeviceCode, GrantType::RefreshToken]),
        scopes: None,
        registered: false,
        created_at: now,
        updated_at: now,
        last_used_at: None,
    }
}

/// Why text cannot name an application: people read it when they decide whom to let in, so that nothing in it may be invisible
/// or turn the text around.
pub(super) fn check_name(name: &str) -> Result<(), &'static str> {
    let hidden = |character: char| {
        character.is_control()
            || matches!(character, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
    };
    if name.trim().is_empty() || name.chars().count() > NAME {
        return Err("a name has 1 to 100 characters");
    }
    if name.contains(hidden) { Err("a name has only characters that can be seen") } else { Ok(()) }
}

/// The scopes of a client that says which ones it wants; none when it does not say.
pub(super) fn named_scopes<'a>(names: impl Iterator<Item = &'a str>) -> Scopes {
    names.filter_map(|name| name.parse::<Scope>().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_it_looks_like() {
        for good in ["Claude", "Ä 日本 🎈", "a"] {
            assert_eq!(check_name(good), Ok(()), "{good}");
        }
        for bad in ["", "  ", "a\nb", "a\u{202e}b", "a\u{200b}", "\u{feff}a", "\0", &"a".repeat(101)] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
    }
}
