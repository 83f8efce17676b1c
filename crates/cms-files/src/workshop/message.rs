//! What the workshop and its children say to each other.
//!
//! Each says a length of four bytes, a message of so many bytes in JSON, and then bytes: the picture one way, what was made of it the other.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Looked, PictureError, Recipe};

/// A message is a few numbers and a text.
pub(super) const LONGEST: u32 = 64 * 1024;

/// What a child is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) task: Task,
    /// How many bytes the picture has.
    pub(super) size: u64,
}

/// The same.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Task {
    Look,
    Make(Recipe),
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    Looked(Looked),
    /// What was made follows.
    Made,
    Failed(Failure),
}

/// What is wrong with a picture.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Failure {
    TooLarge,
    Broken(String),
    Unsupported,
}

impl From<Failure> for PictureError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::TooLarge => Self::TooLarge,
            Failure::Broken(why) => Self::Broken(why),
            Failure::Unsupported => Self::Unsupported,
        }
    }
}

/// A message with its length in front.
pub(super) fn framed(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let json = serde_json::to_vec(message)?;
    let length = u32::try_from(json.len()).ok().filter(|length| *length <= LONGEST).ok_or(io::ErrorKind::InvalidData)?;
    Ok([&length.to_be_bytes()[..], &json].concat())
}

/// Reads a message.
pub(super) fn read<T: DeserializeOwned>(source: &mut impl Read) -> io::Result<T> {
    let mut length = [0; 4];
    source.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length);
    if length > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut json = Vec::new();
    source.take(u64::from(length)).read_to_end(&mut json)?;
    Ok(serde_json::from_slice(&json)?)
}

/// Writes a message, and bytes.
pub(super) fn write(target: &mut impl Write, message: &impl Serialize, bytes: &[u8]) -> io::Result<()> {
    target.write_all(&framed(message)?)?;
    target.write_all(bytes)?;
    target.flush()
}
