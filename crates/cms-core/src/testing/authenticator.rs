//! An authenticator in software, and the browser in front of it: what they are asked goes in, what they would answer comes out.

use cms_accounts::{
    binary::Binary,
    passkey_sign_in::{AssertionResponse, RequestOptions, SignInCredential},
    registration::{AttestationResponse, CreationOptions, RegistrationCredential},
};
use cms_auth::{passkey::to_base64, token};
use p256::ecdsa::{Signature, SigningKey, signature::Signer};
use serde_json::json;
use sha2::{Digest, Sha256};

/// Bits of the flags of authenticator data (WebAuthn §6.1).
const PRESENT: u8 = 1;
const VERIFIED: u8 = 1 << 2;
const BACKUP_ELIGIBLE: u8 = 1 << 3;
const BACKED_UP: u8 = 1 << 4;
const ATTESTED: u8 = 1 << 6;

/// An authenticator that does what it is told, also what no other would do. A clone of it is a clone as criminals make them.
#[derive(Clone)]
pub struct Authenticator {
    /// The page that asks it.
    pub origin: String,
    /// The site that it takes the page for, if it is another than the page says.
    pub site: Option<String>,
    /// Whether the page is a frame in a page of somebody else.
    pub embedded: bool,
    /// Whether it verifies its user.
    pub verifies: bool,
    /// Whether its passkeys can be on other devices.
    pub backup_eligible: bool,
    /// Whether they are.
    pub backed_up: bool,
    /// Whether it counts how often a passkey is used.
    pub counts: bool,
    passkeys: Vec<Key>,
}

#[derive(Clone)]
struct Key {
    id: Vec<u8>,
    site: String,
    user: Vec<u8>,
    secret: SigningKey,
    counter: u32,
}

impl Authenticator {
    /// An authenticator that verifies its user and counts, asked by a page of an origin.
    pub fn new(origin: &str) -> Self {
        Self {
            origin: origin.to_owned(),
            site: None,
            embedded: false,
            verifies: true,
            backup_eligible: false,
            backed_up: false,
            counts: true,
            passkeys: Vec::new(),
        }
    }

    /// Makes a passkey.
    ///
    /// # Panics
    /// Panics when the machine has no chance to give.
    pub fn create(&mut self, options: &CreationOptions) -> RegistrationCredential {
        let chance = || token::random::<32>().unwrap_or_else(|error| panic!("{error}"));
        let secret = SigningKey::from_slice(&chance()).unwrap_or_else(|error| panic!("{error}"));
        let made = Key { id: chance().to_vec(), site: options.rp.id.clone(), user: options.user.id.0.clone(), secret, counter: 0 };
        let point = made.secret.verifying_key().to_sec1_point(false);
        // Uncompressed: 4, and 32 bytes each of x and y.
        let (x, y) = point.as_bytes()[1..].split_at(32);
        // A COSE key: EC2, ES256, on P-256.
        let public = [&[0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32], x, &[0x22, 0x58, 32], y].concat();
        let length = u16::try_from(made.id.len()).unwrap_or(u16::MAX).to_be_bytes();
        let attested = [&[0; 16][..], &length, &made.id, &public].concat();
        let data = self.data(&made, ATTESTED, &attested);
        let size = u16::try_from(data.len()).unwrap_or(u16::MAX).to_be_bytes();
        let object = [&b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59"[..], &size, &data].concat();
        let client_data = self.client_data("webauthn.create", &options.challenge);
        let id = made.id.clone();
        self.passkeys.push(made);
        RegistrationCredential {
            id: Binary(id.clone()),
            raw_id: Binary(id),
            kind: "public-key".to_owned(),
            response: AttestationResponse {
                client_data_json: Binary(client_data),
                attestation_object: Binary(object),
                transports: vec!["internal".to_owned(), "hybrid".to_owned()],
            },
            authenticator_attachment: Some("platform".to_owned()),
        }
    }

    /// Signs with a passkey that is asked for, or with the newest of the site if none is named.
    ///
    /// # Panics
    /// Panics when there is none.
    pub fn sign(&mut self, options: &RequestOptions) -> SignInCredential {
        let named = |key: &Key| options.allow_credentials.is_empty() || options.allow_credentials.iter().any(|named| named.id.0 == key.id);
        let found = self.passkeys.iter().rposition(|key| key.site == options.rp_id && named(key));
        let Some(found) = found else { panic!("the authenticator has no such passkey") };
        if self.counts {
            self.passkeys[found].counter += 1;
        }
        let key = &self.passkeys[found];
        let data = self.data(key, 0, &[]);
        let client_data = self.client_data("webauthn.get", &options.challenge);
        let signature: Signature = key.secret.sign(&[&data[..], &Sha256::digest(&client_data)].concat());
        SignInCredential {
            id: Binary(key.id.clone()),
            raw_id: Binary(key.id.clone()),
            kind: "public-key".to_owned(),
            response: AssertionResponse {
                client_data_json: Binary(client_data),
                authenticator_data: Binary(data),
                signature: Binary(signature.to_der().as_bytes().to_vec()),
                user_handle: Some(Binary(key.user.clone())),
            },
            authenticator_attachment: Some("platform".to_owned()),
        }
    }

    /// Sets the counter of all its passkeys.
    pub fn set_counter(&mut self, counter: u32) {
        for key in &mut self.passkeys {
            key.counter = counter;
        }
    }

    fn data(&self, key: &Key, flags: u8, rest: &[u8]) -> Vec<u8> {
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        let flags =
            flags | PRESENT | flag(self.verifies, VERIFIED) | flag(self.backup_eligible, BACKUP_ELIGIBLE) | flag(self.backed_up, BACKED_UP);
        let site = Sha256::digest(self.site.as_ref().unwrap_or(&key.site));
        [&site[..], &[flags], &key.counter.to_be_bytes(), rest].concat()
    }

    fn client_data(&self, kind: &str, challenge: &Binary) -> Vec<u8> {
        let data = json!({ "type": kind, "challenge": to_base64(&challenge.0), "origin": self.origin, "crossOrigin": self.embedded });
        data.to_string().into_bytes()
    }
}
