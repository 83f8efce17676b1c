//! What all providers of OAuth 2.0 share: proof keys, and who gave an answer.

use cms_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    provider::{Back, ProviderError},
    token::{NewToken, RandomError},
};

/// What is remembered of a sign-in until the browser comes back.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Remembered {
    /// The secret behind the challenge (RFC 7636, section 4.1): 43 characters, 256 bits.
    pub(crate) verifier: String,
    /// What the ID token has to repeat (OpenID Connect Core, section 3.1.2.1).
    pub(crate) nonce: String,
    /// Since when the person has to have signed in there, if they have to anew.
    #[serde(default)]
    pub(crate) signed_in_since: Option<Timestamp>,
}

impl Remembered {
    pub(crate) fn make() -> Result<Self, RandomError> {
        Ok(Self { verifier: NewToken::make("")?.text, nonce: NewToken::make("")?.text, signed_in_since: None })
    }

    pub(crate) fn read(back: &Back) -> Result<Self, ProviderError> {
        Self::deserialize(&back.remembered).map_err(|error| ProviderError::Room(Box::new(error)))
    }

    pub(crate) fn to_value(&self) -> Value {
        serde_json::json!({ "verifier": self.verifier, "nonce": self.nonce, "signed_in_since": self.signed_in_since })
    }
}

/// Makes sure that an answer comes from the issuer that was asked (RFC 9207, section 2.4): one that says its name has to say
/// this one, and one that announced to say it has to.
pub(crate) fn check_issuer(back: &Back, issuer: &str, announced: bool) -> Result<(), ProviderError> {
    match back.parameters.get("iss") {
        Some(named) if named == issuer => Ok(()),
        Some(_) => Err(ProviderError::Callback("another issuer answered")),
        None if announced => Err(ProviderError::Callback("the issuer does not say its name")),
        None => Ok(()),
    }
}

impl From<RandomError> for ProviderError {
    fn from(error: RandomError) -> Self {
        Self::Room(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(issuer: Option<&str>) -> Back {
        let parameters = issuer.map(|issuer| ("iss".to_owned(), issuer.to_owned())).into_iter().collect();
        Back { parameters, remembered: Value::Null, redirect_uri: String::new() }
    }

    #[test]
    fn an_answer_of_another_issuer_is_refused() {
        let ours = "https://a.example";
        assert!(check_issuer(&back(Some(ours)), ours, true).is_ok());
        assert!(check_issuer(&back(None), ours, false).is_ok());
        for (named, announced) in [(Some("https://b.example"), false), (Some("https://b.example"), true), (None, true)] {
            assert!(check_issuer(&back(named), ours, announced).is_err(), "{named:?} {announced}");
        }
    }
}
