//! The system: its areas put together, what is made of more than one of them, and what is done beside requests. It is what a Rust host embeds.
//!
//! How operations are declared, and what they run in, is `cms-frame`, of which hosts find here what they need; what operations do is in the areas.

mod built_in;
pub mod jobs;
pub mod tasks;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod user_access;

use std::sync::Arc;

use cms_accounts::{Accounts, Services};
use cms_content::Content;
use cms_storage::Store;

pub use built_in::built_in;
pub use cms_accounts as accounts;
pub use cms_content as content;
use cms_frame::{Areas, Assembly};
pub use cms_frame::{
    Client, Clock, Cms, Code, Cookie, Counted, CustomCode, Cx, Done, Door, Error, Ids, Kind, Options, Policies, Preview, SessionLife,
    SharedClock, Shown, SystemClock, SystemIds, Watch, catalog, credentials, descriptor, failures, hooks, input, intake, must_be_current,
    operation, refusal, request_id, topics,
};

/// Opens a system over a migrated database, with the machine's clock and random source.
pub fn open(store: Store, options: Options) -> Cms {
    assemble(store, options, Services::default(), Arc::new(SharedClock::default()), Arc::new(SystemIds::default()))
}

/// Opens a system over a migrated database with everything that it can be given.
pub fn assemble(store: Store, options: Options, services: Services, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Cms {
    Cms::assemble(Assembly { store, options, clock, ids, catalog: built_in(), jobs: jobs::kinds() }, |options, following| {
        let content = Arc::new(Content::new(options.finished_memory, Arc::clone(following)));
        let accounts = Arc::new(Accounts::new(services, Arc::clone(following)));
        Areas { callers: Arc::clone(&accounts) as _, all: vec![content, accounts] }
    })
}
