//! The system: its areas put together, what is made of more than one of them, and what is done beside requests. It is what a Rust host embeds.
//!
//! How operations are declared, and what they run in, is `cms-frame`, which stands here as it is; what they do is in the areas.

mod built_in;
pub mod tasks;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod user_access;

use std::sync::Arc;

pub use built_in::built_in;
pub use cms_accounts as accounts;
pub use cms_content as content;
pub use cms_frame::*;

use accounts::{Accounts, Services};
use cms_storage::Store;
use content::Content;
use following::Following;

/// Opens a system over a migrated database, with the machine's clock and random source.
pub fn open(store: Store, options: Options) -> Cms {
    assemble(store, options, Services::default(), Arc::new(SharedClock::default()), Arc::new(SystemIds::default()))
}

/// Opens a system over a migrated database with everything that it can be given.
pub fn assemble(store: Store, options: Options, services: Services, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Cms {
    let following = Arc::new(Following::default());
    let content = Arc::new(Content::new(options.finished_memory, Arc::clone(&following)));
    let accounts = Arc::new(Accounts::new(services, Arc::clone(&following)));
    Cms::assemble(Assembly {
        store,
        options,
        clock,
        ids,
        following,
        catalog: built_in(),
        callers: Arc::clone(&accounts) as Arc<dyn callers::Callers>,
        areas: vec![content, accounts],
    })
}
