//! What a program that leaves out a way in does not have: operations that would ask for what nobody can check.

use cms_frame::operation::Operation;

use crate::{
    accept_invitation::{BeginInvitation, CompleteInvitation},
    connections::{AdoptConnections, BeginConnection, ListConnections, RemoveConnection},
    enter_by_provider::EnterByProvider,
    gateway::EnterByGateway,
    passkey_sign_in::{BeginSignIn, FinishSignIn},
    passkeys::{BeginPasskey, ListPasskeys, RegisterPasskey, RemovePasskey, RenamePasskey},
    prove_by_passkey::{BeginPasskeyProof, FinishPasskeyProof},
    prove_by_provider::BeginProviderProof,
    provider_records::{GetRecord, PutRecord, TakeRecord},
    provider_sign_in::{BeginProviderSignIn, FinishProviderSignIn, TakeProviderSignIn},
    setup::{BeginFirstAdmin, FinishSetup},
    sign_up::{BeginSignUp, CompleteSignUp},
};

/// What asks for a passkey. Admins end those that users have from a program that takes them.
const NEEDS_PASSKEYS: [&str; 15] = [
    BeginSignIn::ID,
    FinishSignIn::ID,
    BeginPasskeyProof::ID,
    FinishPasskeyProof::ID,
    ListPasskeys::ID,
    BeginPasskey::ID,
    RegisterPasskey::ID,
    RenamePasskey::ID,
    RemovePasskey::ID,
    BeginFirstAdmin::ID,
    FinishSetup::ID,
    BeginSignUp::ID,
    CompleteSignUp::ID,
    BeginInvitation::ID,
    CompleteInvitation::ID,
];

/// What asks a provider or a gateway.
const NEEDS_PROVIDERS: [&str; 13] = [
    BeginProviderProof::ID,
    BeginProviderSignIn::ID,
    FinishProviderSignIn::ID,
    TakeProviderSignIn::ID,
    EnterByProvider::ID,
    ListConnections::ID,
    BeginConnection::ID,
    RemoveConnection::ID,
    AdoptConnections::ID,
    PutRecord::ID,
    GetRecord::ID,
    TakeRecord::ID,
    EnterByGateway::ID,
];

/// Whether an operation is of a way in that this program leaves out.
pub(crate) fn is_left_out(id: &str) -> bool {
    (cfg!(not(feature = "passkeys")) && NEEDS_PASSKEYS.contains(&id)) || (cfg!(not(feature = "providers")) && NEEDS_PROVIDERS.contains(&id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{all_operations, operations};

    #[test]
    fn a_way_in_that_is_left_out_has_no_operations_and_one_that_is_there_has_all_of_its_own() {
        for (ids, there) in [(&NEEDS_PASSKEYS[..], cfg!(feature = "passkeys")), (&NEEDS_PROVIDERS[..], cfg!(feature = "providers"))] {
            for id in ids {
                assert!(all_operations().iter().any(|operation| operation.id == *id), "{id}");
                assert_eq!(operations().iter().any(|operation| operation.id == *id), there, "{id}");
            }
        }
    }
}
