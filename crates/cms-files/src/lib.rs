//! The bytes of a media library: where they are kept, what they are by themselves, and what pictures are made of them.

mod allow_list;
mod error;
mod file_name;
mod key;
mod kind;
mod store;
mod svg;
mod workshop;

pub use self::{
    allow_list::AllowList,
    error::Error,
    file_name::{FileName, FileNameError},
    key::Key,
    kind::{HEAD_BYTES, Kind},
    store::{Arriving, Listed, Object, Signed, Store},
    svg::{MOST_SVG_BYTES, SvgRefused, sanitize_svg},
    workshop::{ENCODERS, Fit, Format, Looked, MOST_PIXELS, MOST_SIDE, MOST_SOURCE_BYTES, PictureError, Recipe, Workshop, child},
};

#[cfg(feature = "s3")]
pub use self::store::Bucket;
