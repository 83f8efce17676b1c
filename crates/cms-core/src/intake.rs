//! How many bytes of bodies wait in memory at once, over all requests and all doors.
//!
//! Half a body that never ends stays in memory until its time is over. Anybody can send hundreds of them, so that a bound on one
//! body bounds nothing: there is one on all of them together. Small bodies have a part of it for themselves, so that whoever fills
//! the rest keeps nobody from signing in.

use std::sync::Arc;

use cms_domain::access::Access;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Code, Error};

/// The largest body that counts as small, in bytes, and the largest that is read of a request for what anybody may do: the largest
/// of those is a registration of twenty addresses, 40 kB.
pub const SMALL: usize = 64 * 1024;
/// One part in so many is for small bodies alone.
const RESERVED: usize = 4;
/// Memory for a body grows by one part in so many more than has arrived: each byte is copied about eight times at most.
const SLACK: usize = 8;

/// The largest body that is read of a request for an operation, in bytes: what is open to everybody takes no content. `most` is what the
/// site takes of others.
pub const fn largest(access: Access, most: usize) -> usize {
    match access {
        Access::Public if most > SMALL => SMALL,
        _ => most,
    }
}

/// The room for bodies that are arriving. A clone is another handle to the same room.
#[derive(Debug, Clone)]
pub struct Intake {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

impl Intake {
    /// Room for so many bytes.
    pub fn new(bytes: usize) -> Self {
        let pool = |bytes: usize| Arc::new(Semaphore::new(bytes.min(Semaphore::MAX_PERMITS)));
        Self { small: pool(bytes / RESERVED), large: pool(Self::for_large(bytes)) }
    }

    /// How much of so many bytes bodies that are not small have: the largest body that fits.
    pub const fn for_large(bytes: usize) -> usize {
        bytes - bytes / RESERVED
    }

    /// Begins a body of which nothing has arrived.
    pub fn begin(&self) -> Share {
        Share { intake: self.clone(), held: None }
    }
}

/// What one body has of the room. It is given back when this is dropped.
#[derive(Debug)]
pub struct Share {
    intake: Intake,
    held: Option<OwnedSemaphorePermit>,
}

impl Share {
    /// Keeps what has arrived of a body. [`Code::Busy`] when there is no room: nobody waits for it, because those who have it may be
    /// waiting themselves.
    pub fn append(&mut self, body: &mut Vec<u8>, arrived: &[u8]) -> Result<(), Error> {
        self.take(arrived.len())?;
        let wanted = body.len() + arrived.len();
        if wanted > body.capacity() {
            // Memory that doubles, as vectors do by themselves, would be up to twice what the room counts.
            body.reserve_exact(wanted + wanted / SLACK - body.len());
        }
        body.extend_from_slice(arrived);
        Ok(())
    }

    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        let held = self.held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let (is_large, becomes_large) = (held > SMALL, held + bytes > SMALL);
        let pool = if becomes_large { &self.intake.large } else { &self.intake.small };
        // A body that grows large moves: it leaves the room for small ones to small ones.
        let (kept, wanted) = if becomes_large == is_large { (self.held.take(), bytes) } else { (None, held + bytes) };
        let taken = u32::try_from(wanted).ok().and_then(|wanted| Arc::clone(pool).try_acquire_many_owned(wanted).ok());
        let Some(mut taken) = taken else {
            self.held = None;
            return Err(Error::with(Code::Busy, "the server is receiving as much as it can hold: send it again in a moment"));
        };
        if let Some(kept) = kept {
            taken.merge(kept);
        }
        self.held = Some(taken);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: usize = 64 * SMALL;

    fn body(intake: &Intake, chunks: &[usize]) -> Result<Share, Error> {
        let mut share = intake.begin();
        chunks.iter().try_for_each(|chunk| share.take(*chunk))?;
        Ok(share)
    }

    #[test]
    fn large_bodies_leave_room_for_small_ones() {
        let intake = Intake::new(ROOM);
        let large: Vec<_> = (0..100).map_while(|_| body(&intake, &[SMALL, SMALL]).ok()).collect();
        assert_eq!(large.len(), Intake::for_large(ROOM) / (2 * SMALL));
        assert_eq!(body(&intake, &[SMALL + 1]).unwrap_err().code(), Code::Busy);
        let small: Vec<_> = (0..100).map_while(|_| body(&intake, &[SMALL / 2, SMALL / 2]).ok()).collect();
        assert_eq!(small.len(), ROOM / RESERVED / SMALL);
    }

    #[test]
    fn whatever_ends_gives_back_all_that_it_had() {
        let intake = Intake::new(ROOM);
        for _ in 0..10 {
            drop(body(&intake, &[1, SMALL, 1, Intake::for_large(ROOM) - SMALL - 2]).unwrap());
            drop(body(&intake, &[SMALL, ROOM]).unwrap_err());
            drop(body(&intake, &[SMALL / 2, 3]).unwrap());
        }
        assert_eq!(intake.large.available_permits(), Intake::for_large(ROOM));
        assert_eq!(intake.small.available_permits(), ROOM / RESERVED);
    }

    #[test]
    fn a_body_takes_little_more_memory_than_the_room_counts() {
        let (intake, mut kept) = (Intake::new(ROOM), Vec::new());
        let mut share = intake.begin();
        for _ in 0..100 {
            share.append(&mut kept, &[b' '; 10_000]).unwrap();
            assert!(kept.capacity() <= kept.len() + kept.len() / SLACK, "{} for {}", kept.capacity(), kept.len());
        }
        assert_eq!(kept.len(), 1_000_000);
    }

    #[test]
    fn strangers_send_little() {
        assert_eq!((largest(Access::Public, ROOM), largest(Access::Public, 10), largest(Access::SignedIn, ROOM)), (SMALL, 10, ROOM));
    }
}
