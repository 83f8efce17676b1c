//! What stands in for a site that takes passkeys where the feature `passkeys` is left out: there is none, and asking for one says so.

use std::convert::Infallible;

use super::{Asked, Made, Passkey, PasskeyError, Signed, Used};

/// No answer is refused.
pub(super) type Refusal = Infallible;

/// A site, as authenticators know it. There is none without the feature `passkeys`.
pub struct RelyingParty(Infallible);

impl RelyingParty {
    /// Says that passkeys are left out.
    pub fn new(_: &str, _: Option<&str>) -> Result<Self, PasskeyError> {
        Err(PasskeyError::LeftOut)
    }

    /// The same site, which takes only passkeys whose authenticators verify their users, or also others.
    #[must_use]
    pub fn requiring_verification(self, _: bool) -> Self {
        self
    }

    /// What browsers are told of it.
    pub fn user_verification(&self) -> &'static str {
        match self.0 {}
    }

    /// The site's id.
    pub fn id(&self) -> &str {
        match self.0 {}
    }

    /// The site's name.
    pub fn name(&self) -> &str {
        match self.0 {}
    }

    /// Asks for a new passkey.
    pub fn ask_to_make(&self) -> Result<Asked, PasskeyError> {
        match self.0 {}
    }

    /// Checks the answer of an authenticator that made a passkey.
    pub fn check_made(&self, _: &str, _: Made<'_>) -> Result<Passkey, PasskeyError> {
        match self.0 {}
    }

    /// Asks for a signature with a passkey.
    pub fn ask_to_sign(&self) -> Result<Asked, PasskeyError> {
        match self.0 {}
    }

    /// Checks the answer of an authenticator that signed with a passkey.
    pub fn check_signed(&self, _: &str, _: &str, _: Signed<'_>) -> Result<Used, PasskeyError> {
        match self.0 {}
    }

    /// Does the work of [`Self::check_signed`] for a passkey that nobody has.
    pub fn check_nobody(&self, _: &str, _: Signed<'_>) {
        match self.0 {}
    }
}
