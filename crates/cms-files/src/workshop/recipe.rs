//! What is asked of the workshop, and what it answers.

use serde::{Deserialize, Serialize};

/// How a picture is made to fit a width and a height.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fit {
    /// All of it is in it.
    Inside,
    /// It fills both, and what is over is cut off.
    Cover,
}

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// WebP with loss.
    Webp,
    /// AVIF.
    Avif,
    /// JPEG, on white where the picture is transparent.
    Jpeg,
    /// PNG.
    Png,
}

impl Format {
    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Webp => "image/webp",
            Self::Avif => "image/avif",
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }

    /// The extension of its files, without a dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Webp => "webp",
            Self::Avif => "avif",
            Self::Jpeg => "jpg",
            Self::Png => "png",
        }
    }
}

/// What to make of a picture. It is never enlarged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Its width at most.
    pub width: Option<u32>,
    /// Its height at most.
    pub height: Option<u32>,
    /// How it fits both.
    pub fit: Fit,
    /// What must stay when something is cut off: from 0 at the left to 1 at the right, from 0 at the top to 1 at the bottom, of the picture as it is displayed.
    pub focal: (f32, f32),
    /// How it is written.
    pub format: Format,
    /// From 1 for small to 100 for good. Says nothing for PNG.
    pub quality: u8,
}

/// What a picture is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    /// Its width as it is displayed.
    pub width: u32,
    /// Its height as it is displayed.
    pub height: u32,
    /// Whether it has more than one frame.
    pub animated: bool,
    /// Whether any of it is transparent.
    pub has_alpha: bool,
    /// The mean colour of what is not transparent.
    pub dominant: [u8; 3],
    /// What to show before it is there, with its aspect and its transparency.
    pub thumbhash: Option<Vec<u8>>,
    /// What to show before it is there, for clients that know only this.
    pub blurhash: Option<String>,
}

/// Why nothing came of a picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// It has more bytes or pixels than anybody looks at.
    #[error("the picture is too large")]
    TooLarge,
    /// It cannot be read.
    #[error("the picture is broken: {0}")]
    Broken(String),
    /// It is none of the formats that are read.
    #[error("the file is no PNG, JPEG, GIF or WebP")]
    Unsupported,
    /// Too many wait already.
    #[error("too many pictures wait to be made")]
    Busy,
    /// It took more memory or time than a picture may.
    #[error("the picture takes more memory or time than it may")]
    Died,
    /// The machine or the store failed, not the picture.
    #[error("the picture could not be looked at: {0}")]
    Machine(String),
}
