//! Access tokens: 256 bits of chance behind a prefix, stored only as a hash.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// SHA-256 of a token, prefix included. A fast hash is enough: nobody can guess 256 random bits.
pub type TokenHash = [u8; 32];

/// How many of the secret's characters are kept to recognize a token by.
const SHOWN: usize = 4;

/// A new token, shown to its owner once.
#[derive(Clone)]
pub struct NewToken {
    /// The token as it is sent: `<prefix><43 characters>`.
    pub text: String,
    /// What is stored.
    pub hash: TokenHash,
    /// The prefix and the first characters of the secret, for lists.
    pub shown: String,
}

/// The system has no chance to give.
#[derive(Debug, thiserror::Error)]
#[error("the system's random source failed: {0}")]
pub struct RandomError(getrandom::Error);

/// Bytes of chance from the operating system.
pub fn random<const N: usize>() -> Result<[u8; N], RandomError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(RandomError)?;
    Ok(bytes)
}

impl NewToken {
    /// Makes a token with a prefix that says what it is, as in `cms_pat_`.
    pub fn make(prefix: &str) -> Result<Self, RandomError> {
        let text = format!("{prefix}{}", URL_SAFE_NO_PAD.encode(random::<32>()?));
        Ok(Self { hash: hash(&text), shown: text[..prefix.len() + SHOWN].to_owned(), text })
    }
}

/// The hash under which a token is stored.
pub fn hash(text: &str) -> TokenHash {
    Sha256::digest(text.as_bytes()).into()
}

/// A secret that follows from another one, which does not follow from it.
pub fn derived(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(hash(text))
}

/// Whether a hash is that of a text. How long it takes tells nothing of the hash.
pub fn is_hash_of(expected: &[u8], text: &str) -> bool {
    let actual = hash(text);
    expected.len() == actual.len() && expected.iter().zip(actual).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// Whether text could be a token with the prefix. Saves a look-up for what cannot.
pub fn is_plausible(prefix: &str, text: &str) -> bool {
    text.strip_prefix(prefix)
        .is_some_and(|secret| secret.len() == 43 && secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_recognized_by_its_hash_alone() {
        let token = NewToken::make("cms_pat_").unwrap();
        assert!(is_plausible("cms_pat_", &token.text));
        assert_eq!(hash(&token.text), token.hash);
        assert!(is_hash_of(&token.hash, &token.text) && !is_hash_of(&token.hash, "") && !is_hash_of(&[], &token.text));
        assert_eq!(token.shown, token.text[..12]);
        // Differences that would make up for each other.
        let mut twice = token.hash;
        twice[0] ^= 1;
        twice[31] ^= 1;
        assert!(!is_hash_of(&twice, &token.text));
    }

    #[test]
    fn no_two_tokens_are_the_same() {
        assert_ne!(NewToken::make("cms_pat_").unwrap().text, NewToken::make("cms_pat_").unwrap().text);
    }

    #[test]
    fn what_cannot_be_a_token_is_not_looked_up() {
        for text in [
            "",
            "cms_pat_",
            "cms_pat_short",
            "other_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "cms_pat_ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            assert!(!is_plausible("cms_pat_", text), "{text}");
        }
    }
}
