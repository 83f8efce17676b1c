//! The rows, for what goes on beside requests. Their type is this crate's own, so that nobody gets at them through a system that they were given.

use cms_domain::event::Event;
use cms_frame::{Cms, area::Area};
use cms_storage::Store;

/// The rows of a system, on connections that no request waits for.
pub(crate) struct Rows(Store);

impl Rows {
    /// The rows of a system that is put together.
    pub(crate) fn new(store: &Store) -> Self {
        Self(store.in_background())
    }

    /// The rows of a system.
    pub(crate) fn of(cms: &Cms) -> &Store {
        &cms.area::<Self>().0
    }
}

/// Nothing of them is kept in memory.
impl Area for Rows {
    fn follow(&self, _: &Event) {}

    fn forget(&self) {}
}
