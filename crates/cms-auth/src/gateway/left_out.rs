//! What stands in for a gateway where the feature `providers` is left out: there is none.
#![expect(clippy::unused_async, reason = "what it stands in for waits")]

use std::convert::Infallible;

use cms_domain::time::Timestamp;

use super::{GatewayError, Vouched};

/// The gateway. There is none without the feature `providers`.
pub struct Gateway(Infallible);

impl Gateway {
    /// Who sends a request with a statement.
    pub async fn vouch(&self, _: &str, _: Timestamp) -> Result<Vouched, GatewayError> {
        match self.0 {}
    }
}
