//! What others do for the system: deliver mail, vouch for people. A host brings what it has; without them the system does without.

use std::sync::Arc;

use crate::{gateway::GatewayMode, mail::Mail, providers::Providers};

/// What others do for the system.
#[derive(Clone, Default)]
pub struct Services {
    /// Delivers letters. Without it nobody is mailed: magic links and sign-up by address are off, and admins hand links over.
    pub mail: Option<Arc<dyn Mail>>,
    /// Sign people in elsewhere. Without any nobody signs in that way.
    pub providers: Providers,
    /// Vouches for whoever comes through it. With it there is no other way in but bearer tokens.
    pub gateway: Option<Arc<GatewayMode>>,
}
