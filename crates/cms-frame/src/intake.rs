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
/// Memory for a body grows by one part in so many more than has arrived.
const SLACK: usize = 8;
/// The largest piece that a body is kept in until all of it is there, in bytes. Pieces are all of a size, so that what one body leaves fits
/// another: memory that grows with each body falls apart under hundreds that never end. And they are smaller than what allocators ask the
/// system for one by one.
const PIECE: usize = 64 * 1024;

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
        Share { intake: self.clone(), held: None, pieces: Vec::new() }
    }
}

/// What one body has of the room. It is given back when this is dropped.
#[derive(Debug)]
pub struct Share {
    intake: Intake,
    held: Option<OwnedSemaphorePermit>,
    /// What has arrived.
    pieces: Vec<Vec<u8>>,
}

impl Share {
    /// Keeps what has arrived of a body. [`Code::Busy`] when there is no room: nobody waits for it, because those who have it may be
    /// waiting themselves.
    pub fn append(&mut self, mut arrived: &[u8]) -> Result<(), Error> {
        self.take(arrived.len())?;
        while !arrived.is_empty() {
            let room = self.pieces.last().map_or(0, |piece| piece.capacity() - piece.len());
            if room == 0 {
                // Not all at once from the first byte on: somebody who sends one and waits holds one.
                let wanted = arrived.len().max(self.arrived() / SLACK).min(PIECE);
                self.pieces.push(Vec::with_capacity(wanted));
                continue;
            }
            let (now, later) = arrived.split_at(room.min(arrived.len()));
            if let Some(piece) = self.pieces.last_mut() {
                piece.extend_from_slice(now);
            }
            arrived = later;
        }
        Ok(())
    }

    /// How much has arrived, in bytes: what it has of the room.
    pub fn arrived(&self) -> usize {
        self.held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits)
    }

    /// All that has arrived, in one piece. What it has of the room it keeps.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut pieces = std::mem::take(&mut self.pieces);
        if pieces.len() <= 1 {
            return pieces.pop().unwrap_or_default();
        }
        let mut whole = Vec::with_capacity(pieces.iter().map(Vec::len).sum());
        pieces.drain(..).for_each(|piece| whole.extend_from_slice(&piece));
        whole
    }

    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        let held = self.arrived();
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
    fn a_body_takes_little_more_memory_than_the_room_counts_and_is_whole_in_the_end() {
        for chunk in [1, 7, 10_000, 200_000] {
            let intake = Intake::new(ROOM);
            let (mut share, mut sent) = (intake.begin(), Vec::new());
            for n in 0..1_000_000 / chunk {
                let arrived: Vec<u8> = (0..chunk).map(|at| u8::try_from((n * chunk + at) % 251).unwrap()).collect();
                share.append(&arrived).unwrap();
                sent.extend_from_slice(&arrived);
                if n % 1000 == 0 {
                    let taken: usize = share.pieces.iter().map(Vec::capacity).sum();
                    assert!(taken <= share.arrived() + share.arrived() / SLACK + chunk, "{taken} for {}", share.arrived());
                }
            }
            assert_eq!(share.arrived(), sent.len());
            assert!(share.pieces.iter().all(|piece| piece.capacity() <= PIECE));
            assert!(share.finish() == sent && share.finish().is_empty());
        }
    }

    #[test]
    fn strangers_send_little() {
        assert_eq!((largest(Access::Public, ROOM), largest(Access::Public, 10), largest(Access::SignedIn, ROOM)), (SMALL, 10, ROOM));
    }
}
