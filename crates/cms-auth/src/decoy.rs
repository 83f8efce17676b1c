//! Passkeys that nobody has: what a stranger is told of an account that does not exist looks like what they are told of one that
//! does, and stays the same however often they ask.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::token::{RandomError, random};

/// The secret that decoys are made with.
pub struct DecoyKey(Hmac<Sha256>);

/// What a browser is told of a passkey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoy {
    /// Id of the credential.
    pub id: Vec<u8>,
    /// How its authenticator can be reached.
    pub transports: &'static [&'static str],
}

/// What authenticators in the field do, as often as they are met: the length of their ids in bytes, and their transports.
const KINDS: [(usize, &[&str]); 8] = [
    // Password managers of phones and browsers.
    (20, &["hybrid", "internal"]),
    (20, &["hybrid", "internal"]),
    (16, &["hybrid", "internal"]),
    (16, &["hybrid", "internal"]),
    (16, &["hybrid", "internal"]),
    // Computers that keep passkeys to themselves.
    (32, &["internal"]),
    // Security keys.
    (48, &["nfc", "usb"]),
    (64, &["usb"]),
];

impl DecoyKey {
    /// A key from its stored text.
    pub fn from_text(text: &str) -> Option<Self> {
        Hmac::new_from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok().map(Self)
    }

    /// The text of a new key, to be stored.
    pub fn generate() -> Result<String, RandomError> {
        random::<32>().map(|bytes| URL_SAFE_NO_PAD.encode(bytes))
    }

    /// The passkeys that an address would have: mostly one, sometimes two.
    pub fn decoys(&self, address: &str) -> Vec<Decoy> {
        let chance = self.mac(address, "count");
        let count = if chance[0] < 64 { 2 } else { 1 };
        (0..count).map(|n| self.decoy(address, n)).collect()
    }

    fn decoy(&self, address: &str, n: u8) -> Decoy {
        let kind = self.mac(address, &format!("kind {n}"))[0];
        let (length, transports) = KINDS[usize::from(kind) % KINDS.len()];
        // 64 bytes are the longest id there is in the table.
        let id = [self.mac(address, &format!("id {n} 1")), self.mac(address, &format!("id {n} 2"))].concat();
        Decoy { id: id.into_iter().take(length).collect(), transports }
    }

    fn mac(&self, address: &str, what: &str) -> [u8; 32] {
        let mut mac = self.0.clone();
        mac.update(b"passkey decoy\0");
        mac.update(what.as_bytes());
        mac.update(b"\0");
        mac.update(address.as_bytes());
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> DecoyKey {
        DecoyKey::from_text("AAAA").unwrap()
    }

    #[test]
    fn an_address_has_the_same_decoys_every_time() {
        assert_eq!(key().decoys("ada@example.com"), key().decoys("ada@example.com"));
        assert_ne!(key().decoys("ada@example.com"), key().decoys("bob@example.com"));
        assert_ne!(key().decoys("ada@example.com"), DecoyKey::from_text("AAAB").unwrap().decoys("ada@example.com"));
    }

    #[test]
    fn every_key_is_another_and_its_text_is_read_again() {
        let keys = [DecoyKey::generate().unwrap(), DecoyKey::generate().unwrap()];
        let [first, again, second] =
            [&keys[0], &keys[0], &keys[1]].map(|text| DecoyKey::from_text(text).unwrap().decoys("ada@example.com"));
        assert_eq!((first == again, first == second), (true, false));
        assert!(DecoyKey::from_text("?").is_none());
    }

    #[test]
    fn decoys_are_of_all_kinds_in_all_numbers() {
        let all: Vec<_> = (0..400).map(|n| key().decoys(&format!("user{n}@example.com"))).collect();
        for (length, transports) in KINDS {
            assert!(all.iter().flatten().any(|decoy| decoy.id.len() == length && decoy.transports == transports), "{length}");
        }
        let two = all.iter().filter(|decoys| decoys.len() == 2).count();
        assert!((50..150).contains(&two) && all.iter().all(|decoys| (1..=2).contains(&decoys.len())), "{two}");
    }
}
