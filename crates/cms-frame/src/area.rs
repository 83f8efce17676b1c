//! What an area keeps in the memory of a process: it follows what happens, here or on another node.

use std::any::Any;

use cms_domain::event::Event;
use cms_storage::Reader;

use crate::{
    Cms, Error,
    descriptor::Pending,
    hooks::{Hook, Proposal},
};

/// What an area keeps in memory for a system.
pub trait Area: Any + Send + Sync {
    /// Something happened: forgets what is not so any more, and wakes whoever waits for it.
    fn follow(&self, event: &Event);

    /// The moments at which it asks hooks ([`crate::hooks`]) before a change.
    fn moments(&self) -> &'static [&'static str] {
        &[]
    }

    /// The moments at which hooks are told of a change.
    fn occasions(&self) -> &'static [&'static str] {
        &[]
    }

    /// What a hook is told of something that happened, as it stands in the rows; nothing when that is none of its moments, or not for it.
    fn told<'a>(&'a self, rows: Reader<'a>, hook: &'a Hook, event: &'a Event) -> Pending<'a, Result<Option<Proposal>, Error>> {
        let _ = (rows, hook, event);
        Box::pin(async { Ok(None) })
    }

    /// Forgets everything, for when something may have been missed.
    fn forget(&self);
}

impl Cms {
    /// What an area keeps for this system.
    ///
    /// # Panics
    /// Panics in a system that was put together without the area, whose operations it cannot have either.
    pub fn area<A: Area>(&self) -> &A {
        let area = self.areas().iter().find_map(|area| (&**area as &dyn Any).downcast_ref());
        area.unwrap_or_else(|| panic!("the system was put together without `{}`", std::any::type_name::<A>()))
    }
}
