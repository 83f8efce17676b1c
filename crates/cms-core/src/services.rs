//! What others do for the system: deliver mail, vouch for people. A host brings what it has; without them the system does without.

/// What others do for the system.
#[derive(Clone, Default)]
pub struct Services {}
