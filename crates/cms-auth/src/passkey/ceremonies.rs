//! The two ceremonies, with an authenticator in software that also does what no other would.

use p256::ecdsa::{Signature, SigningKey, signature::Signer};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{Asked, Made, Passkey, PasskeyError, RelyingParty, Signed, Used, challenge_of, from_base64, to_base64};

/// Bits of the flags of authenticator data (§6.1).
const PRESENT: u8 = 1;
const VERIFIED: u8 = 1 << 2;
const BACKUP_ELIGIBLE: u8 = 1 << 3;
const BACKED_UP: u8 = 1 << 4;
const ATTESTED: u8 = 1 << 6;

const ID: &[u8] = &[7; 20];

/// What an authenticator, and the browser in front of it, make of what is asked.
struct Authenticator {
    flags: u8,
    counter: u32,
    origin: &'static str,
    embedded: bool,
    /// The credential that is named beside the answer.
    named: &'static [u8],
}

impl Authenticator {
    const GOOD: Self = Self { flags: PRESENT | VERIFIED, counter: 1, origin: "https://site.example", embedded: false, named: ID };

    fn key() -> SigningKey {
        SigningKey::from_slice(&[3; 32]).unwrap()
    }

    fn data(&self, flags: u8, rest: &[u8]) -> Vec<u8> {
        [&Sha256::digest("site.example")[..], &[self.flags | flags], &self.counter.to_be_bytes(), rest].concat()
    }

    fn client_data(&self, kind: &str, asked: &Asked) -> Vec<u8> {
        let data = json!({ "type": kind, "challenge": asked.challenge, "origin": self.origin, "crossOrigin": self.embedded });
        data.to_string().into_bytes()
    }

    /// Makes a passkey.
    fn make(&self, site: &RelyingParty) -> Result<Passkey, PasskeyError> {
        let asked = site.ask_to_make()?;
        let point = Self::key().verifying_key().to_sec1_point(false);
        // Uncompressed: 4, and 32 bytes each of x and y.
        let (x, y) = point.as_bytes()[1..].split_at(32);
        // A COSE key: EC2, ES256, on P-256.
        let public = [&[0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32], x, &[0x22, 0x58, 32], y].concat();
        let data = self.data(ATTESTED, &[&[0; 16][..], &[0, 20], ID, &public].concat());
        let size = u16::try_from(data.len()).unwrap().to_be_bytes();
        let attestation = [&b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59"[..], &size, &data].concat();
        let client_data = self.client_data("webauthn.create", &asked);
        site.check_made(&asked.state, Made { id: self.named, client_data: &client_data, attestation: &attestation })
    }

    /// Signs with the passkey.
    fn sign(&self, site: &RelyingParty, stored: &str) -> Result<Used, PasskeyError> {
        let asked = site.ask_to_sign()?;
        let (data, client_data) = (self.data(0, &[]), self.client_data("webauthn.get", &asked));
        let signature: Signature = Self::key().sign(&[&data[..], &Sha256::digest(&client_data)].concat());
        let signature = signature.to_der();
        let signed = Signed { id: self.named, client_data: &client_data, authenticator_data: &data, signature: signature.as_bytes() };
        site.check_signed(&asked.state, stored, signed)
    }
}

fn site() -> RelyingParty {
    RelyingParty::new("https://site.example", Some("The site")).unwrap()
}

#[test]
fn a_site_is_known_by_its_host_and_called_so_unless_it_has_a_name() {
    assert_eq!((site().id(), site().name()), ("site.example", "The site"));
    assert_eq!(RelyingParty::new("https://site.example:8443", None).unwrap().name(), "site.example");
    for origin in ["site.example", "data:,"] {
        assert!(RelyingParty::new(origin, None).is_err(), "{origin}");
    }
}

#[test]
fn a_challenge_is_found_in_the_spelling_in_which_it_was_asked() {
    for (said, asked) in [("-_8", Some("-_8")), ("-_8=", Some("-_8")), ("+/8=", None), ("?", None)] {
        let data = json!({ "challenge": said }).to_string();
        assert_eq!(challenge_of(data.as_bytes()).as_deref(), asked, "{said}");
    }
    assert_eq!((challenge_of(b"{}"), challenge_of(b"no JSON")), (None, None));
    assert_eq!((to_base64(&[0xfb, 0xff]).as_str(), from_base64("-_8")), ("-_8", Some(vec![0xfb, 0xff])));
}

#[test]
fn a_passkey_says_of_itself_what_its_authenticator_says_at_each_use() {
    let made = Authenticator { flags: PRESENT | BACKUP_ELIGIBLE, ..Authenticator::GOOD }.make(&site()).unwrap();
    assert_eq!((made.id.as_slice(), made.user_verified, made.backup_eligible, made.backed_up), (ID, false, true, false));
    let later = Authenticator { flags: PRESENT | VERIFIED | BACKUP_ELIGIBLE | BACKED_UP, counter: 2, ..Authenticator::GOOD };
    let used = later.sign(&site(), &made.stored).unwrap();
    assert_eq!((used.user_verified, used.backup_eligible, used.backed_up), (true, true, true));
    // A passkey that was bound to one device may become one that is synchronised.
    let bound = Authenticator::GOOD.make(&site()).unwrap();
    assert_eq!((bound.user_verified, bound.backup_eligible), (true, false));
    let upgraded = Authenticator { flags: PRESENT | VERIFIED | BACKUP_ELIGIBLE, counter: 2, ..Authenticator::GOOD };
    assert!(upgraded.sign(&site(), &bound.stored).unwrap().backup_eligible);
}

#[test]
fn a_counter_that_does_not_grow_is_refused() {
    let mut stored = Authenticator::GOOD.make(&site()).unwrap().stored;
    for (counter, grows) in [(1, false), (2, true), (2, false), (9, true), (8, false), (10, true)] {
        match (Authenticator { counter, ..Authenticator::GOOD }.sign(&site(), &stored), grows) {
            (Ok(used), true) => stored = used.stored,
            (answer, _) => assert_eq!(answer.is_ok(), grows, "{counter}"),
        }
    }
}

#[test]
fn an_answer_that_was_given_elsewhere_or_of_something_else_proves_nothing() {
    let stored = Authenticator::GOOD.make(&site()).unwrap().stored;
    let elsewhere = Authenticator { counter: 2, origin: "https://evil.example", ..Authenticator::GOOD };
    let embedded = Authenticator { counter: 2, embedded: true, ..Authenticator::GOOD };
    let absent = Authenticator { counter: 2, flags: VERIFIED, ..Authenticator::GOOD };
    for (what, wrong) in [("elsewhere", &elsewhere), ("embedded", &embedded), ("absent", &absent)] {
        assert!(wrong.make(&site()).is_err() && wrong.sign(&site(), &stored).is_err(), "{what}");
    }
    assert!(matches!(embedded.make(&site()), Err(PasskeyError::Embedded)));
    assert!(matches!(embedded.sign(&site(), &stored), Err(PasskeyError::Embedded)));
    assert!(matches!(Authenticator { named: b"other", ..Authenticator::GOOD }.make(&site()), Err(PasskeyError::Mismatch)));
    assert!(matches!(site().check_made("{}", Made { id: ID, client_data: b"no JSON", attestation: b"" }), Err(PasskeyError::Malformed)));
}

#[test]
fn verification_is_left_out_only_where_the_site_lets_it_and_never_by_a_passkey_that_began_with_it() {
    let unverified = Authenticator { flags: PRESENT, counter: 2, ..Authenticator::GOOD };
    let verified = Authenticator { counter: 2, ..Authenticator::GOOD };
    let without = Authenticator { flags: PRESENT, ..Authenticator::GOOD }.make(&site()).unwrap().stored;
    for (required, told) in [(false, "preferred"), (true, "required")] {
        let site = site().requiring_verification(required);
        assert_eq!(site.user_verification(), told);
        assert_eq!((unverified.make(&site).is_ok(), unverified.sign(&site, &without).is_ok()), (!required, !required), "{told}");
        let with = verified.make(&site).unwrap().stored;
        let again = Authenticator { counter: 3, ..verified };
        assert_eq!((again.sign(&site, &with).is_ok(), unverified.sign(&site, &with).is_ok()), (true, false), "{told}");
    }
}
