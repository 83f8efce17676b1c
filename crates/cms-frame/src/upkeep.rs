//! What keeps a process up to date: the tasks that look at what others do, and tell them, use it, and nobody else.

use std::time::Duration;

use cms_domain::{event::Event, time::Timestamp};
use tokio::{sync::Notify, time::Instant};

use crate::Cms;

/// What keeps a process up to date.
#[derive(Clone, Copy)]
pub struct Upkeep<'a>(&'a Cms);

impl<'a> Upkeep<'a> {
    pub(crate) fn new(cms: &'a Cms) -> Self {
        Self(cms)
    }

    /// Lets what this process remembers follow what others did.
    pub fn follow(self, events: &[Event]) {
        self.0.follow(events);
    }

    /// Forgets what this process remembers, because it may have missed something.
    pub fn forget(self) {
        self.0.forget();
    }

    /// Everything that others had done at an instant is known: what is remembered may be believed for a while.
    pub fn heard(self, at: Instant) {
        self.0.following().heard(at);
    }

    /// Says what the time was by the database's clock at some moment of the last while ([`crate::Clock::correct`]).
    pub fn correct_clock(self, then: Timestamp, within: Duration) {
        self.0.clock().correct(then, within);
    }

    /// The server begins to stop: answers without an end end.
    pub fn stop(self) {
        self.0.stop();
    }

    /// Wakes whoever tells others that something happened.
    pub fn committed(self) -> &'a Notify {
        self.0.committed()
    }

    /// Wakes whoever looks at what others did, when one of them says that there is something.
    pub fn told(self) -> &'a Notify {
        self.0.told()
    }

    /// Wakes whoever seals the lines of the audit log.
    pub fn unsealed(self) -> &'a Notify {
        self.0.unsealed()
    }
}
