//! What bytes are by themselves, whatever their sender and their name say.

/// How many first bytes of a file [`Kind::of`] wants.
pub const HEAD_BYTES: usize = 8 * 1024;

/// What bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    media_type: &'static str,
    extension: &'static str,
}

impl Kind {
    /// What begins with these bytes.
    pub fn of(head: &[u8]) -> Option<Self> {
        infer::get(head).map(|found| Self { media_type: found.mime_type(), extension: found.extension() })
    }

    /// Its media type.
    pub fn media_type(&self) -> &'static str {
        self.media_type
    }

    /// The extension of its files, without a dot.
    pub fn extension(&self) -> &'static str {
        self.extension
    }

    /// Whether it is a picture that the workshop reads.
    pub fn is_picture(&self) -> bool {
        matches!(self.media_type, "image/png" | "image/jpeg" | "image/gif" | "image/webp")
    }

    /// Whether a browser may show it in place.
    pub fn is_inline(&self) -> bool {
        self.is_picture()
    }

    /// Whether no list may allow it.
    pub fn is_never_taken(&self) -> bool {
        false
    }

    /// Whether it may be what its sender said.
    pub fn agrees_with(&self, declared: &str) -> bool {
        declared == self.media_type
    }
}
