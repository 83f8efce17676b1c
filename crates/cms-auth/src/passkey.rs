//! Passkeys: what a server asks of an authenticator, and whether the answer proves what it should (Web Authentication, Level 2).
//!
//! The checks of the two ceremonies are `webauthn-rs-core`'s; its policies are chosen here. `webauthn-rs` itself cannot be used: it
//! always requires that the authenticator verifies the user, and this system prefers it and records whether it happened, unless the site
//! requires it.

use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose::URL_SAFE_NO_PAD},
};

#[cfg(test)]
#[cfg(feature = "passkeys")]
mod ceremonies;
#[cfg_attr(not(feature = "passkeys"), path = "passkey/left_out.rs")]
mod relying_party;

pub use relying_party::RelyingParty;

/// How long a browser lets its user take, in milliseconds (§5.4).
pub const TIMEOUT: u32 = 60_000;

/// The algorithms of keys that are accepted, best first: ES256 and RS256, the ones that all authenticators have between them
/// (§5.4, `pubKeyCredParams`; numbers of the COSE registry).
pub const ALGORITHMS: [i32; 2] = [-7, -257];

/// How authenticators can be reached (§5.8.4). What is not in the list is not kept.
pub const TRANSPORTS: [&str; 6] = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"];

/// Base64 for URLs, with or without padding: browsers and libraries differ.
const LENIENT: GeneralPurpose =
    GeneralPurpose::new(&alphabet::URL_SAFE, GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent));

/// Why an answer proves nothing. For logs and tests; callers are told less.
#[derive(Debug, thiserror::Error)]
pub enum PasskeyError {
    /// The site's origin is none that passkeys can be bound to.
    #[error("passkeys cannot be bound to the origin `{0}`")]
    Origin(String),
    /// The answer is not written as one.
    #[error("the answer cannot be read")]
    Malformed,
    /// The answer was given in a frame of another site (§5.8.1, `crossOrigin`).
    #[error("the answer was given in a frame of another site")]
    Embedded,
    /// The answer names another credential than it is about.
    #[error("the answer is not about the credential that it names")]
    Mismatch,
    /// The checks of the ceremony failed.
    #[error("the checks failed: {0}")]
    Refused(#[from] relying_party::Refusal),
    /// Nobody can check it.
    #[error("passkeys are left out of this program: build it with the feature `passkeys`")]
    LeftOut,
    /// What was stored cannot be read.
    #[error("the stored state cannot be read: {0}")]
    State(#[from] serde_json::Error),
}

/// What was asked, and what must be kept until the answer comes.
pub struct Asked {
    /// The challenge, 32 bytes of chance in base64url.
    pub challenge: String,
    /// What to keep, to check the answer with.
    pub state: String,
}

/// The answer of an authenticator that made a passkey.
#[derive(Clone, Copy)]
pub struct Made<'a> {
    /// Id of the credential.
    pub id: &'a [u8],
    /// What the browser says it asked (§5.8.1).
    pub client_data: &'a [u8],
    /// What the authenticator says of the new credential (§6.5).
    pub attestation: &'a [u8],
}

/// A new passkey.
pub struct Passkey {
    /// Id of the credential.
    pub id: Vec<u8>,
    /// Its public key, counter and flags, to be stored.
    pub stored: String,
    /// Whether the authenticator verified its user when it made the passkey.
    pub user_verified: bool,
    /// Whether the passkey can be on more than one device.
    pub backup_eligible: bool,
    /// Whether it is.
    pub backed_up: bool,
}

/// The answer of an authenticator that signed with a passkey.
#[derive(Clone, Copy)]
pub struct Signed<'a> {
    /// Id of the credential.
    pub id: &'a [u8],
    /// What the browser says it asked (§5.8.1).
    pub client_data: &'a [u8],
    /// What the authenticator says of the occasion (§6.1).
    pub authenticator_data: &'a [u8],
    /// The signature over both.
    pub signature: &'a [u8],
}

/// A passkey after it was used.
pub struct Used {
    /// Its public key, counter and flags, to be stored instead of what was stored.
    pub stored: String,
    /// Whether the authenticator verified its user this time.
    pub user_verified: bool,
    /// Whether the passkey can be on more than one device.
    pub backup_eligible: bool,
    /// Whether it is.
    pub backed_up: bool,
}

/// Reads base64url with or without padding.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    LENIENT.decode(text).ok()
}

/// Writes base64url without padding.
pub fn to_base64(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The challenge that an answer is for, in the spelling in which it was asked. Nothing is proved by it yet.
pub fn challenge_of(client_data: &[u8]) -> Option<String> {
    let data: serde_json::Value = serde_json::from_slice(client_data).ok()?;
    Some(to_base64(&from_base64(data.get("challenge")?.as_str()?)?))
}
