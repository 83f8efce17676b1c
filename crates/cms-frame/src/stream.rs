//! What lasts from one answer of an event stream to the next.

use std::{
    any::Any,
    fmt,
    sync::{Arc, OnceLock},
};

/// An event stream, for the operation that answers it again and again: what it keeps here goes when nobody reads the stream any more.
#[derive(Clone, Default)]
pub struct Stream(Arc<OnceLock<Box<dyn Any + Send + Sync>>>);

impl Stream {
    /// What the operation keeps, made by the first answer. None where something else is kept already.
    pub fn keep<T: Send + Sync + 'static>(&self, make: impl FnOnce() -> T) -> Option<&T> {
        self.0.get_or_init(|| Box::new(make())).downcast_ref()
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}
