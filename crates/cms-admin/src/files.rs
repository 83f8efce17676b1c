//! The files of the application as they were built, and which copy of one a browser gets.

use http::{HeaderMap, HeaderValue, header};

/// The application as its own build left it.
pub(crate) struct Built {
    /// The page that every screen begins with.
    pub(crate) index: &'static str,
    /// What the page refers to.
    pub(crate) files: &'static [File],
}

/// A file, and its compressed copies where those are smaller.
pub(crate) struct File {
    /// Path below the application's root, as in `assets/index-B0j7.js`.
    pub(crate) name: &'static str,
    plain: &'static [u8],
    brotli: Option<&'static [u8]>,
    gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/built.rs"));

/// The application, if it was built before this crate was.
pub(crate) const fn built() -> Option<Built> {
    BUILT
}

impl File {
    /// The smallest copy that a caller can read, and the name of its encoding.
    pub(crate) fn copy_for(&self, asked: &HeaderMap) -> (&'static [u8], Option<HeaderValue>) {
        match (self.brotli, self.gzip) {
            (Some(bytes), _) if accepts(asked, "br") => (bytes, Some(HeaderValue::from_static("br"))),
            (_, Some(bytes)) if accepts(asked, "gzip") => (bytes, Some(HeaderValue::from_static("gzip"))),
            _ => (self.plain, None),
        }
    }

    /// The media type by the name's ending.
    pub(crate) fn kind(&self) -> HeaderValue {
        HeaderValue::from_static(match self.name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("woff2") => "font/woff2",
            Some("png") => "image/png",
            Some("json") => "application/json",
            Some("txt") => "text/plain; charset=utf-8",
            _ => "application/octet-stream",
        })
    }

    /// Whether the name has a digest of the content in it, so that another content has another name.
    pub(crate) fn is_named_by_content(&self) -> bool {
        self.name.starts_with("assets/")
    }
}

/// Whether a caller accepts a content coding: named, and not with a weight of zero (RFC 9110, 12.5.3).
fn accepts(asked: &HeaderMap, coding: &str) -> bool {
    let values = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|list| list.split(',')).any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        is_named && weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: File = File { name: "assets/a-1.js", plain: b"plain", brotli: Some(b"br"), gzip: Some(b"gz") };

    fn copy(accept_encoding: &str) -> &'static [u8] {
        let asked = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::try_from(accept_encoding).unwrap())]);
        FILE.copy_for(&asked).0
    }

    #[test]
    fn a_browser_gets_the_smallest_copy_that_it_reads() {
        assert_eq!(copy("gzip, deflate, br, zstd"), b"br");
        assert_eq!(copy("gzip"), b"gz");
        assert_eq!(copy("br;q=0, GZIP;q=0.5"), b"gz");
        assert_eq!(copy("identity"), b"plain");
        assert_eq!(FILE.copy_for(&HeaderMap::new()).0, b"plain");
    }
}
