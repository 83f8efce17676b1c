//! The two ceremonies, as the site sees them: what is asked, and whether the answer proves what it should.

use std::time::Duration;

use url::Url;
use webauthn_rs_core::{
    WebauthnCore,
    error::WebauthnError,
    proto::{
        AttestationFormat, AuthenticationState, AuthenticatorAssertionResponseRaw, AuthenticatorAttestationResponseRaw, COSEAlgorithm,
        COSEEC2Key, COSEKey, COSEKeyType, Credential, ECDSACurve, ParsedAttestation, PublicKeyCredential, RegisterPublicKeyCredential,
        RegisteredExtensions, RegistrationState, UserVerificationPolicy,
    },
};

use super::{Asked, Made, Passkey, PasskeyError, Signed, TIMEOUT, Used, to_base64};

/// Why the library takes no answer.
pub(super) type Refusal = WebauthnError;

/// A site, as authenticators know it (§4, Relying Party).
pub struct RelyingParty {
    core: WebauthnCore,
    id: String,
    verification: UserVerificationPolicy,
}

impl RelyingParty {
    /// A site under its public origin. Its id is the origin's host, so a passkey of one site is none of another; its name is the
    /// host if it has no other.
    pub fn new(origin: &str, name: Option<&str>) -> Result<Self, PasskeyError> {
        let parsed = Url::parse(origin).map_err(|_| PasskeyError::Origin(origin.to_owned()))?;
        let id = parsed.host_str().ok_or_else(|| PasskeyError::Origin(origin.to_owned()))?.to_owned();
        let timeout = Duration::from_millis(TIMEOUT.into());
        let core = WebauthnCore::new_unsafe_experts_only(name.unwrap_or(&id), &id, vec![parsed], timeout, Some(false), Some(false));
        Ok(Self { core, id, verification: UserVerificationPolicy::Preferred })
    }

    /// The same site, which takes only passkeys whose authenticators verify their users, or also others.
    #[must_use]
    pub fn requiring_verification(self, required: bool) -> Self {
        let verification = if required { UserVerificationPolicy::Required } else { UserVerificationPolicy::Preferred };
        Self { verification, ..self }
    }

    /// What browsers are told of it (§5.8.6): `required` or `preferred`.
    pub fn user_verification(&self) -> &'static str {
        if self.verification == UserVerificationPolicy::Required { "required" } else { "preferred" }
    }

    /// The site's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The site's name, which authenticators show.
    pub fn name(&self) -> &str {
        self.core.rp_name()
    }

    /// Asks for a new passkey.
    pub fn ask_to_make(&self) -> Result<Asked, PasskeyError> {
        // The account is in what the caller sends to the browser; the checks do not look at it.
        let asked = self
            .core
            .new_challenge_register_builder(b"-", "-", "-")?
            .user_verification_policy(self.verification)
            .credential_algorithms(vec![COSEAlgorithm::ES256, COSEAlgorithm::RS256]);
        let (options, state) = self.core.generate_challenge_register(asked)?;
        Ok(Asked { challenge: to_base64(&options.public_key.challenge), state: serde_json::to_string(&state)? })
    }

    /// Checks the answer of an authenticator that made a passkey (§7.1).
    pub fn check_made(&self, state: &str, made: Made<'_>) -> Result<Passkey, PasskeyError> {
        not_embedded(made.client_data)?;
        let state: RegistrationState = serde_json::from_str(state)?;
        let answer = RegisterPublicKeyCredential {
            id: to_base64(made.id),
            raw_id: made.id.to_vec(),
            response: AuthenticatorAttestationResponseRaw {
                attestation_object: made.attestation.to_vec(),
                client_data_json: made.client_data.to_vec(),
                transports: None,
            },
            type_: "public-key".to_owned(),
            extensions: Default::default(),
        };
        let credential = self.core.register_credential(&answer, &state, None)?;
        if credential.cred_id != made.id {
            return Err(PasskeyError::Mismatch);
        }
        Ok(Passkey {
            stored: serde_json::to_string(&credential)?,
            id: credential.cred_id,
            user_verified: credential.user_verified,
            backup_eligible: credential.backup_eligible,
            backed_up: credential.backup_state,
        })
    }

    /// Asks for a signature with a passkey.
    pub fn ask_to_sign(&self) -> Result<Asked, PasskeyError> {
        // Which passkeys will do is in what the caller sends to the browser, and is looked up again when the answer comes.
        let asked = self
            .core
            .new_challenge_authenticate_builder(Vec::new(), Some(self.verification))?
            // A passkey that was bound to one device may become one that is synchronised (§6.1.3).
            .allow_backup_eligible_upgrade(true);
        let (options, state) = self.core.generate_challenge_authenticate(asked)?;
        Ok(Asked { challenge: to_base64(&options.public_key.challenge), state: serde_json::to_string(&state)? })
    }

    /// Checks the answer of an authenticator that signed with a passkey (§7.2). A counter that does not grow is refused: somebody
    /// may have a copy of the passkey.
    pub fn check_signed(&self, state: &str, stored: &str, signed: Signed<'_>) -> Result<Used, PasskeyError> {
        self.check_with(state, serde_json::from_str(stored)?, signed)
    }

    /// Does the work of [`Self::check_signed`] for a passkey that nobody has: a stranger who tries ids learns nothing from how long
    /// it takes.
    pub fn check_nobody(&self, state: &str, signed: Signed<'_>) {
        // Whatever comes out of it, it proves nothing.
        let _ = self.check_with(state, nobodys(signed.id), signed);
    }

    fn check_with(&self, state: &str, mut credential: Credential, signed: Signed<'_>) -> Result<Used, PasskeyError> {
        not_embedded(signed.client_data)?;
        let state: AuthenticationState = serde_json::from_str(state)?;
        let answer = PublicKeyCredential {
            id: to_base64(signed.id),
            raw_id: signed.id.to_vec(),
            response: AuthenticatorAssertionResponseRaw {
                authenticator_data: signed.authenticator_data.to_vec(),
                client_data_json: signed.client_data.to_vec(),
                signature: signed.signature.to_vec(),
                user_handle: None,
            },
            extensions: Default::default(),
            type_: "public-key".to_owned(),
        };
        let result = self.core.authenticate_single_credential(&answer, &state, &credential)?;
        credential.counter = result.counter();
        credential.backup_eligible = result.backup_eligible();
        credential.backup_state = result.backup_state();
        Ok(Used {
            stored: serde_json::to_string(&credential)?,
            user_verified: result.user_verified(),
            backup_eligible: result.backup_eligible(),
            backed_up: result.backup_state(),
        })
    }
}

/// A passkey that nobody has: the base point of P-256 is its public key.
fn nobodys(id: &[u8]) -> Credential {
    const X: [u8; 32] = [
        0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2, 0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb,
        0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96,
    ];
    const Y: [u8; 32] = [
        0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16, 0x2b, 0xce, 0x33, 0x57, 0x6b, 0x31,
        0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5,
    ];
    Credential {
        cred_id: id.to_vec(),
        cred: COSEKey {
            type_: COSEAlgorithm::ES256,
            key: COSEKeyType::EC_EC2(COSEEC2Key { curve: ECDSACurve::SECP256R1, x: X.to_vec(), y: Y.to_vec() }),
        },
        counter: 0,
        transports: None,
        user_verified: false,
        backup_eligible: false,
        backup_state: false,
        registration_policy: UserVerificationPolicy::Preferred,
        extensions: RegisteredExtensions::none(),
        attestation: ParsedAttestation::default(),
        attestation_format: AttestationFormat::None,
    }
}

/// The checks look at this for new passkeys alone.
fn not_embedded(client_data: &[u8]) -> Result<(), PasskeyError> {
    let data: serde_json::Value = serde_json::from_slice(client_data).map_err(|_| PasskeyError::Malformed)?;
    match data.get("crossOrigin") {
        Some(serde_json::Value::Bool(true)) => Err(PasskeyError::Embedded),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passkey::ALGORITHMS;

    #[test]
    fn the_algorithms_that_are_asked_for_are_those_that_are_checked() {
        assert_eq!(ALGORITHMS, [COSEAlgorithm::ES256 as i32, COSEAlgorithm::RS256 as i32]);
    }
}
