//! Pictures are looked at and made in child processes of the same program: a bomb or a panic ends a child.

mod recipe;

use std::{ffi::OsString, path::PathBuf, process::ExitCode, sync::Arc};

use bytes::Bytes;
use futures_util::Stream;
use tokio::sync::Semaphore;

pub use self::recipe::{Fit, Format, Looked, PictureError, Recipe};
use crate::Error;

/// The version of what encoders and all before them do. A picture that was made by another one may look different.
pub const ENCODERS: &str = "1";

/// A picture with more pixels is not decoded: as RGBA this is 400 MB.
pub const MOST_PIXELS: u64 = 100_000_000;

/// A picture with a longer side is not decoded.
pub const MOST_SIDE: u32 = 30_000;

/// A picture with more bytes is not read.
pub const MOST_SOURCE_BYTES: u64 = 256 * 1024 * 1024;

/// Where pictures are looked at and made. A clone is the same workshop.
#[derive(Clone, Debug)]
pub struct Workshop(Arc<Inside>);

#[derive(Debug)]
struct Inside {
    program: PathBuf,
    arguments: Vec<OsString>,
    places: Semaphore,
}

impl Workshop {
    /// Starts `program` with `arguments` for each picture, and so many at once. What is started calls [`child`] and does nothing else.
    pub fn new(program: PathBuf, arguments: Vec<OsString>, at_once: usize) -> Self {
        Self(Arc::new(Inside { program, arguments, places: Semaphore::new(at_once) }))
    }

    /// What a picture is.
    pub async fn look(&self, source: impl Stream<Item = Result<Bytes, Error>> + Send + Unpin, size: u64) -> Result<Looked, PictureError> {
        let _ = (source, size, &self.0.program, &self.0.arguments, &self.0.places);
        Err(PictureError::Unsupported)
    }

    /// What a recipe makes of a picture.
    pub async fn make(
        &self,
        source: impl Stream<Item = Result<Bytes, Error>> + Send + Unpin,
        size: u64,
        recipe: &Recipe,
    ) -> Result<Vec<u8>, PictureError> {
        let _ = (source, size, recipe);
        Err(PictureError::Unsupported)
    }
}

/// What the hidden subcommand of the program runs.
pub fn child() -> ExitCode {
    ExitCode::FAILURE
}
