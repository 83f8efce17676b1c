//! What an area keeps in the memory of a process: it follows what happens, here or on another node.

use std::any::Any;

use cms_domain::event::Event;

use crate::Cms;

/// What an area keeps in memory for a system.
pub trait Area: Any + Send + Sync {
    /// Something happened: forgets what is not so any more, and wakes whoever waits for it.
    fn follow(&self, event: &Event);

    /// The moments at which it asks hooks ([`crate::hooks`]).
    fn moments(&self) -> &'static [&'static str] {
        &[]
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
