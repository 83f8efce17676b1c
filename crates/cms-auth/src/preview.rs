//! Preview links: a signed statement that whoever holds it may see one entry's working copy for a while.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use cms_domain::{id::EntryId, time::Timestamp};
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Key that signs a site's preview links.
#[derive(Clone)]
pub struct PreviewKey(Hmac<Sha256>);

/// What a preview link says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviewClaim {
    /// The entry that may be seen. Always an id, so that a new slug does not break the link.
    pub entry: EntryId,
    /// When the link was made; links made before a revocation are void.
    pub issued_at: Timestamp,
    /// When the link ends.
    pub expires_at: Timestamp,
}

/// Why a preview link is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PreviewError {
    /// The link was not made here, or was altered.
    #[error("the preview link is not valid")]
    Invalid,
    /// The link's time is over.
    #[error("the preview link has expired")]
    Expired,
}

const CLAIM: usize = 16 + 8 + 8;
const SIGNATURE: usize = 32;

impl PreviewKey {
    /// A key from its stored text.
    pub fn from_text(text: &str) -> Option<Self> {
        Hmac::new_from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok().map(Self)
    }

    /// The text of a new key, to be stored.
    pub fn generate() -> Result<String, crate::token::RandomError> {
        crate::token::random::<32>().map(|bytes| URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Signs a claim.
    pub fn sign(&self, claim: &PreviewClaim) -> String {
        let mut bytes = Vec::with_capacity(CLAIM + SIGNATURE);
        bytes.extend(claim.entry.to_bytes());
        bytes.extend(claim.issued_at.milliseconds().to_be_bytes());
        bytes.extend(claim.expires_at.milliseconds().to_be_bytes());
        let signature = self.mac(&bytes).finalize().into_bytes();
        bytes.extend(signature);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a claim whose signature is ours and whose time is not over.
    pub fn verify(&self, text: &str, now: Timestamp) -> Result<PreviewClaim, PreviewError> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| PreviewError::Invalid)?;
        let bytes: [u8; CLAIM + SIGNATURE] = bytes.try_into().map_err(|_| PreviewError::Invalid)?;
        let (claim, signature) = bytes.split_at(CLAIM);
        self.mac(claim).verify_slice(signature).map_err(|_| PreviewError::Invalid)?;
        let (entry, times) = claim.split_at(16);
        let (issued_at, expires_at) = times.split_at(8);
        let time = |bytes: &[u8]| {
            bytes.try_into().map(|bytes| Timestamp::from_milliseconds(i64::from_be_bytes(bytes))).map_err(|_| PreviewError::Invalid)
        };
        let entry = entry.try_into().map(EntryId::from_bytes).map_err(|_| PreviewError::Invalid)?;
        let claim = PreviewClaim { entry, issued_at: time(issued_at)?, expires_at: time(expires_at)? };
        if claim.expires_at <= now { Err(PreviewError::Expired) } else { Ok(claim) }
    }

    fn mac(&self, bytes: &[u8]) -> Hmac<Sha256> {
        // The context keeps a signature for one use from being one for another.
        let mut mac = self.0.clone();
        mac.update(b"preview link\0");
        mac.update(bytes);
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> PreviewKey {
        PreviewKey::from_text("AAAA").unwrap()
    }

    fn claim() -> PreviewClaim {
        PreviewClaim {
            entry: EntryId::from_parts(5, 6),
            issued_at: Timestamp::from_milliseconds(1_000),
            expires_at: Timestamp::from_milliseconds(2_000),
        }
    }

    #[test]
    fn a_signed_claim_is_read_back() {
        assert_eq!(key().verify(&key().sign(&claim()), Timestamp::from_milliseconds(1_999)), Ok(claim()));
    }

    #[test]
    fn a_claim_ends_at_its_time() {
        assert_eq!(key().verify(&key().sign(&claim()), Timestamp::from_milliseconds(2_000)), Err(PreviewError::Expired));
    }

    #[test]
    fn an_altered_or_foreign_claim_is_refused() {
        let signed = key().sign(&claim());
        let now = Timestamp::from_milliseconds(1_500);
        for n in 0..signed.len() {
            let mut altered = signed.clone().into_bytes();
            altered[n] = if altered[n] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            assert_eq!(key().verify(&altered, now), Err(PreviewError::Invalid), "byte {n}");
        }
        assert_eq!(PreviewKey::from_text("AAAB").unwrap().verify(&signed, now), Err(PreviewError::Invalid));
        assert_eq!(key().verify("", now), Err(PreviewError::Invalid));
    }
}
