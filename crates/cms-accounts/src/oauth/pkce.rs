//! Proof that whoever exchanges a code is whoever asked for it (RFC 7636). Of its methods only `S256` is served.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use cms_auth::token;

/// The one method.
pub(super) const METHOD: &str = "S256";
/// How long the base64url of a SHA-256 is.
const CHALLENGE: usize = 43;

/// Whether text can be a challenge: base64url of 32 bytes.
pub(super) fn is_challenge(text: &str) -> bool {
    text.len() == CHALLENGE && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Whether text can be a verifier: 43 to 128 unreserved characters (RFC 7636, 4.1).
pub(super) fn is_verifier(text: &str) -> bool {
    (43..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
}

/// Whether a verifier is the secret behind a challenge. The challenge went through the browser in the clear, so that the time
/// that the comparison takes tells nothing new.
pub(super) fn proves(verifier: &str, challenge: &str) -> bool {
    is_verifier(verifier) && URL_SAFE_NO_PAD.encode(token::hash(verifier)) == challenge
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_rfc_holds() {
        // RFC 7636, appendix B.
        let (verifier, challenge) = ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert!(is_challenge(challenge) && proves(verifier, challenge));
        assert!(!proves(verifier, verifier) && !proves("short", challenge));
    }

    #[test]
    fn what_is_no_challenge_is_refused() {
        for text in ["", &"a".repeat(42), &"a".repeat(44), &format!("{}=", "a".repeat(42)), &format!("{}+", "a".repeat(42))] {
            assert!(!is_challenge(text), "{text}");
        }
        assert!(is_verifier(&"~".repeat(128)) && !is_verifier(&"a".repeat(129)) && !is_verifier(&"a b".repeat(20)));
    }
}
