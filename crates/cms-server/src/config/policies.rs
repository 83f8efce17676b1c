//! What a site asks of ways in, of tokens, and of what applications are granted. `cms policies` says whom each of them locks out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Span;

/// What ways in must be like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SignIn {
    /// Whether authenticators have to verify their users, with a PIN or a finger, when a passkey is made and whenever it is used.
    pub(crate) require_user_verification: bool,
    /// Whether people may have a link sent to sign in with. Recovery links, which an admin has sent to somebody, always work.
    pub(crate) magic_links: bool,
}

impl Default for SignIn {
    fn default() -> Self {
        let cms_core::Policies { require_user_verification, magic_links, .. } = cms_core::Policies::default();
        Self { require_user_verification, magic_links }
    }
}

/// Access tokens of people.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Tokens {
    /// How old a token may become. New ones must end by then, and older ones stop working at that age. Without it their users decide.
    pub(crate) max_age: Option<Span>,
}

/// What users grant to applications.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct OAuth {
    /// How long a grant lasts at most, however often its tokens are refreshed. Then the application asks its user again.
    pub(crate) grant_absolute: Span,
}

impl Default for OAuth {
    fn default() -> Self {
        Self { grant_absolute: Span(cms_core::Policies::default().grant_absolute) }
    }
}
