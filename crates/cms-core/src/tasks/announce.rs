//! Tells other servers at once that something happened, and hears them tell it: a hint, so that they look sooner. Who misses one looks anyway.

use std::time::Duration;

use cms_frame::Cms;
use tokio::time::sleep;

use crate::rows::Rows;

/// How long those that happen right after another are waited for: one announcement is enough for all. PostgreSQL lets one transaction at
/// a time announce something, so the transactions that write do not.
const GATHER: Duration = Duration::from_millis(20);
/// How long to wait after a failure.
const PAUSE: Duration = Duration::from_secs(2);

/// Announces what this server did, under its name, for ever.
pub(super) async fn announce(cms: &Cms, node: &str) {
    loop {
        cms.upkeep().committed().notified().await;
        if let Err(error) = Rows::of(cms).on_watch().announce(node).await {
            tracing::debug!(%error, "what happened could not be announced");
            sleep(PAUSE).await;
        }
        sleep(GATHER).await;
    }
}

/// Hears what others announce, for ever; ends at once where nothing is announced.
pub(super) async fn listen(cms: &Cms, node: &str) {
    loop {
        match Rows::of(cms).listen().await {
            Ok(None) => return,
            Ok(Some(mut listener)) => loop {
                match listener.heard().await {
                    // What this server did it knows.
                    Ok(Some(who)) if who == node => {}
                    Ok(_) => cms.upkeep().told().notify_one(),
                    Err(error) => {
                        tracing::warn!(%error, "what other servers announce is not heard: it is looked for a little later");
                        break;
                    }
                }
            },
            Err(error) => tracing::warn!(%error, "what other servers announce cannot be heard: it is looked for a little later"),
        }
        sleep(PAUSE).await;
    }
}
