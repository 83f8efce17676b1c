//! What bytes are by themselves, whatever their sender and their name say.

mod known;
mod text;

use self::known::{Class, Family, KNOWN, Known};

/// How many first bytes of a file [`Kind::of`] wants: with fewer, documents in archives are archives.
pub const HEAD_BYTES: usize = 8 * 1024;

/// What bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(&'static Known);

impl Kind {
    /// What begins with these bytes. `None` when nobody knows: such a file is `application/octet-stream` at most.
    pub fn of(head: &[u8]) -> Option<Self> {
        let head = head.get(..HEAD_BYTES).unwrap_or(head);
        // What begins with a tag is for browsers, and no binary format does.
        if let Some(markup) = text::markup(head) {
            return Self::named(markup);
        }
        let is_text = text::is_text(head);
        if let Some(found) = infer::get(head)
            && let Some(known) = known::inferred(found.mime_type(), found.extension())
            // Two letters are what some binary formats begin with, and some texts as well.
            && (!is_text || known.begins_as_text)
        {
            return Some(Self(known));
        }
        if is_text { Self::named("text/plain") } else { None }
    }

    /// The kind of this media type, spelled as [`Kind::media_type`] does.
    pub fn named(media_type: &str) -> Option<Self> {
        KNOWN.iter().find(|known| known.media_type == media_type).map(Self)
    }

    /// Its media type.
    pub fn media_type(&self) -> &'static str {
        self.0.media_type
    }

    /// The extension of its files, without a dot.
    pub fn extension(&self) -> &'static str {
        self.0.extensions.first().copied().unwrap_or("bin")
    }

    /// Whether its files may have this extension, without a dot.
    pub fn has_extension(&self, extension: &str) -> bool {
        self.0.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
    }

    /// Whether it is a picture that the workshop reads.
    pub fn is_picture(&self) -> bool {
        matches!(self.0.media_type, "image/png" | "image/jpeg" | "image/gif" | "image/webp")
    }

    /// Whether a browser may show it in place: nothing in it can act.
    pub fn is_inline(&self) -> bool {
        self.0.class == Class::Inline
    }

    /// Whether no list may allow it: it would act in the reader's browser or on their machine.
    pub fn is_never_taken(&self) -> bool {
        self.0.class == Class::Never
    }

    /// Whether these bytes may be what their sender said. Nothing, and `application/octet-stream`, say nothing.
    pub fn agrees_with(&self, declared: &str) -> bool {
        let declared = plain(declared);
        declared.is_empty() || declared == "application/octet-stream" || self.declared(&declared).is_some()
    }

    /// What these bytes are if their sender is believed where the bytes leave it open: a text may be CSV, and an archive a document. Who says what cannot be is
    /// not believed.
    pub fn as_declared(&self, declared: &str) -> Self {
        self.declared(&plain(declared)).unwrap_or(*self)
    }

    /// The kind that was declared, if these bytes may be of it.
    fn declared(self, declared: &str) -> Option<Self> {
        let known = known::by_name(declared)?;
        let is_open = self.0.family != Family::Alone && known.family == self.0.family && known.class != Class::Never;
        (known.media_type == self.0.media_type || is_open).then_some(Self(known))
    }
}

/// A media type in lower case and without its parameters.
pub(crate) fn plain(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The name by which a media type goes here, whichever of its names was used.
pub(crate) fn one_name(media_type: &str) -> String {
    let plain = plain(media_type);
    known::by_name(&plain).map_or(plain, |known| known.media_type.to_owned())
}

/// Whether no list may have a media type.
pub(crate) fn is_never(media_type: &str) -> bool {
    known::by_name(media_type).is_some_and(|known| known.class == Class::Never)
}

#[cfg(test)]
mod tests;
