//! What goes wrong between a caller and the place where objects are.

use std::io;

/// Why a store did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The disk, the quota or the bucket is full.
    #[error("no space is left where files are kept")]
    NoSpace,
    /// The store does not answer, or not as it should.
    #[error("the store of files is unavailable: {0}")]
    Unavailable(String),
    /// What was asked for makes no sense, and will not the next time either.
    #[error("{0}")]
    Invalid(String),
}

impl Error {
    /// Of a disk.
    pub(crate) fn of_disk(error: &io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => Self::NoSpace,
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_one_that_is_away() {
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
            assert!(matches!(Error::of_disk(&kind.into()), Error::NoSpace));
        }
        for kind in [io::ErrorKind::PermissionDenied, io::ErrorKind::NotFound, io::ErrorKind::ReadOnlyFilesystem] {
            assert!(matches!(Error::of_disk(&kind.into()), Error::Unavailable(_)));
        }
    }
}
