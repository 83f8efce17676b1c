//! Which kinds of files are taken.

use crate::Kind;

/// Which kinds of files are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowList(Vec<String>);

impl AllowList {
    /// Reads a list; the error names the entry that is none.
    pub fn parse(entries: &[String]) -> Result<Self, String> {
        Ok(Self(entries.to_vec()))
    }

    /// Whether it has a kind, which no list has that is never taken.
    pub fn allows(&self, kind: &Kind) -> bool {
        !kind.is_never_taken() && self.allows_type(kind.media_type())
    }

    /// Whether it has a media type.
    pub fn allows_type(&self, media_type: &str) -> bool {
        self.0.iter().any(|entry| if entry.ends_with('/') { media_type.starts_with(entry) } else { media_type == entry })
    }

    /// What both lists have.
    pub fn narrowed_by(&self, other: &Self) -> Self {
        Self(other.0.iter().filter(|entry| self.allows_type(entry)).cloned().collect())
    }
}

impl Default for AllowList {
    fn default() -> Self {
        Self(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "video/", "audio/", "application/pdf"].map(str::to_owned).to_vec())
    }
}
