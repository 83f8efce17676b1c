//! What signs people in elsewhere and vouches for them: the one contract that GitHub, OpenID Connect and a host's own fulfil.

use std::{collections::BTreeMap, pin::Pin};

use cms_domain::{
    time::Timestamp,
    user::{Email, Role},
};
use serde_json::Value;

/// What a provider does takes its time.
pub type Promise<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Any error, for the log alone.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Signs people in elsewhere. A host registers its own beside the built-in ones.
///
/// The system makes the state of each sign-in, ties it to the browser, and takes it back once; the provider never sees what the
/// browser brings back before that.
pub trait Provider: Send + Sync + 'static {
    /// Names it in addresses and rows: 1 to 32 lower-case letters, digits and hyphens. It never changes.
    fn id(&self) -> &str;

    /// What people call it.
    fn label(&self) -> &str;

    /// Who vouches for its accounts: the issuer of OpenID Connect, or the address of the site where the accounts are. With an account's
    /// name there it says for ever whose account it is, also when the provider is called something else here, and two that say the same
    /// vouch for the same accounts. Without one of its own a provider vouches under the name that it has here.
    fn issuer(&self) -> String {
        format!("provider:{}", self.id())
    }

    /// What the sign-in page shows for it.
    fn entry(&self) -> Entry {
        Entry::Button
    }

    /// Where the browser goes, and what has to be remembered until it comes back.
    fn begin<'a>(&'a self, room: &'a dyn Room, start: &'a Start) -> Promise<'a, Result<Begun, ProviderError>>;

    /// Who came back.
    fn finish<'a>(&'a self, room: &'a dyn Room, back: &'a Back) -> Promise<'a, Result<Identity, ProviderError>>;

    /// The role that somebody gets who has no account and neither an invitation nor an address of an allowed domain. It is the
    /// host's policy; without one, nobody gets in by having an account elsewhere.
    fn admits(&self, _: &Identity) -> Option<Role> {
        None
    }

    /// Paths of public pages that it answers itself: below `/.well-known/`, or relative to its own
    /// `{prefix}/api/auth/oauth/{id}/`.
    fn pages(&self) -> Vec<String> {
        Vec::new()
    }

    /// Answers a request to one of its pages.
    fn page<'a>(&'a self, _: &'a dyn Room, _: &'a PageRequest) -> Promise<'a, Result<Page, ProviderError>> {
        Box::pin(async { Err(ProviderError::Callback("there is no such page")) })
    }
}

/// What the sign-in page shows for a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A button.
    Button,
    /// A form: the provider has to know something before it begins.
    Form(Vec<Field>),
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name in [`Start::fields`].
    pub name: String,
    /// What people are told to fill in.
    pub label: String,
}

/// How a sign-in begins.
#[derive(Debug, Clone)]
pub struct Start {
    /// 256 bits that have to come back as the parameter `state`.
    pub state: String,
    /// Where the browser comes back to.
    pub redirect_uri: String,
    /// What was filled in.
    pub fields: BTreeMap<String, String>,
    /// Whether the person has to show there again who they are, although they are signed in there.
    pub anew: bool,
}

/// A sign-in that began.
#[derive(Debug, Clone)]
pub struct Begun {
    /// Where the browser goes.
    pub location: String,
    /// What has to be remembered: the verifier of PKCE, a nonce. It stays on the server.
    pub remembered: Value,
}

/// What a browser came back with.
#[derive(Debug, Clone)]
pub struct Back {
    /// The parameters of the address, `state` included. None is given twice.
    pub parameters: BTreeMap<String, String>,
    /// What was remembered.
    pub remembered: Value,
    /// Where the browser came back to.
    pub redirect_uri: String,
}

impl Back {
    /// The authorization code (RFC 6749, section 4.1.2), unless the provider says why there is none (section 4.1.2.1).
    pub fn code(&self) -> Result<&str, ProviderError> {
        match (self.parameters.get("error").map(String::as_str), self.parameters.get("code")) {
            (Some("access_denied"), _) => Err(ProviderError::Denied),
            (Some(_), _) => Err(ProviderError::Refused),
            (None, Some(code)) if !code.is_empty() => Ok(code),
            _ => Err(ProviderError::Callback("there is no code")),
        }
    }
}

/// Who somebody is, as a provider vouches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Their account there: what never changes and is never given to somebody else, 1 to 255 characters.
    pub account: String,
    /// Their address, if the provider knows one.
    pub email: Option<ProvidedEmail>,
    /// What they are called.
    pub name: Option<String>,
    /// Address of their picture.
    pub avatar: Option<String>,
}

/// An address that a provider knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvidedEmail {
    /// The address.
    pub address: Email,
    /// Whether the provider saw the person read mail to it. Only then it proves anything.
    pub verified: bool,
}

/// Why nobody is signed in. What the provider wrote itself is a cause, for the log: pages show words of ours.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The person did not agree.
    #[error("the person refused")]
    Denied,
    /// The provider does not want to.
    #[error("the provider refused")]
    Refused,
    /// What the browser brought back is not what the provider sends.
    #[error("the browser brought back something else than the provider sends: {0}")]
    Callback(&'static str),
    /// What was filled in cannot be used.
    #[error("{0}")]
    Form(String),
    /// Whoever it is, the host does not want them.
    #[error("the host's policy does not let this account in")]
    NotAllowed,
    /// The provider did not exchange the code, or what it gave for it proves nothing.
    #[error("the provider gave no proof for the code")]
    Exchange(#[source] Cause),
    /// The provider does not say who it is.
    #[error("the provider does not say who it is")]
    Profile(#[source] Cause),
    /// The provider cannot be reached, or does not describe itself.
    #[error("the provider cannot be used")]
    Unavailable(#[source] Cause),
    /// The server failed.
    #[error("the provider's room failed")]
    Room(#[source] Cause),
}

/// What a provider stands in: time, addresses, and a place of its own to keep things.
pub trait Room: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Scheme, host and port of the server as the world knows it.
    fn public_origin(&self) -> &str;

    /// Where browsers come back to.
    fn redirect_uri(&self) -> &str;

    /// Keeps a value under a key, instead of what was there, until a time.
    fn put(&self, record: Record) -> Promise<'_, Result<(), ProviderError>>;

    /// The value under a key, unless its time is over.
    fn get<'a>(&'a self, collection: &'a str, key: &'a str) -> Promise<'a, Result<Option<Value>, ProviderError>>;

    /// Takes the value under a key: of several that try, one gets it.
    fn take<'a>(&'a self, collection: &'a str, key: &'a str) -> Promise<'a, Result<Option<Value>, ProviderError>>;
}

/// What a provider keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Which of its collections: 1 to 64 characters.
    pub collection: String,
    /// Its key there: 1 to 256 characters.
    pub key: String,
    /// The value: at most 64 KiB as JSON.
    pub value: Value,
    /// Until when; without an end, until it is taken.
    pub expires_at: Option<Timestamp>,
}

/// A request to a public page of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// The path, as [`Provider::pages`] lists it.
    pub path: String,
    /// Its query, as it was sent.
    pub query: String,
}

/// A public page of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its media type.
    pub content_type: String,
    /// Its bytes.
    pub body: Vec<u8>,
    /// For how many seconds it may be kept.
    pub max_age: u32,
    /// Whether scripts of other origins may read it.
    pub cross_origin: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stand::At;

    /// A provider that does no more than it has to.
    struct Club;

    impl Provider for Club {
        fn id(&self) -> &'static str {
            "club"
        }

        fn label(&self) -> &'static str {
            "The club"
        }

        fn begin<'a>(&'a self, _: &'a dyn Room, _: &'a Start) -> Promise<'a, Result<Begun, ProviderError>> {
            Box::pin(async { Err(ProviderError::NotAllowed) })
        }

        fn finish<'a>(&'a self, _: &'a dyn Room, _: &'a Back) -> Promise<'a, Result<Identity, ProviderError>> {
            Box::pin(async { Err(ProviderError::NotAllowed) })
        }
    }

    #[tokio::test]
    async fn a_provider_of_few_words_has_a_button_and_no_pages_and_admits_nobody() {
        let somebody = Identity { account: "1".to_owned(), email: None, name: None, avatar: None };
        assert_eq!((Club.issuer().as_str(), Club.entry(), Club.admits(&somebody)), ("provider:club", Entry::Button, None));
        assert!(Club.pages().is_empty());
        let asked = PageRequest { path: "/.well-known/club".to_owned(), query: String::new() };
        assert!(Club.page(&At(Timestamp::from_milliseconds(0)), &asked).await.is_err());
    }

    #[test]
    fn there_is_a_code_unless_the_provider_says_why_there_is_none() {
        let there_is_none = "the browser brought back something else than the provider sends: there is no code";
        for (parameters, expected) in [
            (&[("code", "c0de"), ("state", "s")][..], Ok("c0de")),
            (&[("code", "")], Err(there_is_none)),
            (&[], Err(there_is_none)),
            (&[("error", "access_denied")], Err("the person refused")),
            (&[("error", "server_error")], Err("the provider refused")),
            (&[("error", "access_denied"), ("code", "c0de")], Err("the person refused")),
            (&[("error", ""), ("code", "c0de")], Err("the provider refused")),
        ] {
            let given = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let back = Back { parameters: given, remembered: Value::Null, redirect_uri: String::new() };
            let code = back.code().map_err(|error| error.to_string());
            assert_eq!(code.as_deref().map_err(String::as_str), expected, "{parameters:?}");
        }
    }
}
