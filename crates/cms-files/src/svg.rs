//! Drawings (SVG) without anything that acts, loads from elsewhere, or takes more to read than it has bytes.

use std::io;

use svg_hush::{Filter, data_url_filter};

/// A larger drawing is refused: all of it is read at once.
pub const MOST_SVG_BYTES: usize = 4 * 1024 * 1024;

/// What is written of a drawing at most. Each element is put on a line of its own, indented.
const MOST_WRITTEN: usize = 4 * MOST_SVG_BYTES;

/// How deep elements are in each other at most: those of drawing programs stay below fifty, and readers slow down with each.
const DEEPEST: usize = 200;

/// What all uses of entities may become at most. Drawing programs write the addresses of namespaces as entities.
const MOST_EXPANDED: usize = 1024 * 1024;

/// Why a drawing was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SvgRefused {
    /// It has too many bytes, or becomes too large when it is read.
    #[error("the drawing is too large: it has at most {MOST_SVG_BYTES} bytes")]
    TooLarge,
    /// Its elements are too deep in each other.
    #[error("the elements of the drawing are more than {DEEPEST} deep in each other")]
    TooDeep,
    /// It defines entities that could become anything.
    #[error("the drawing defines entities by others or by files, or uses them too often: save it without entities")]
    Entities,
    /// It is no SVG, or one that nobody can read.
    #[error("the drawing cannot be read: {0}")]
    Broken(String),
}

/// The same drawing without scripts, handlers, foreign elements, and addresses of other servers.
pub fn sanitize_svg(bytes: &[u8]) -> Result<Vec<u8>, SvgRefused> {
    if bytes.len() > MOST_SVG_BYTES {
        return Err(SvgRefused::TooLarge);
    }
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| SvgRefused::Broken("it is not UTF-8".to_owned()))?;
    entities_are_small(text)?;
    is_shallow(text)?;
    let mut filter = Filter::new();
    filter.set_data_url_filter(data_url_filter::allow_standard_images);
    // Whatever the drawing says of its encoding, this is what was looked at above.
    filter.set_content_type_header("image/svg+xml; charset=utf-8");
    let mut clean = Bounded(Vec::with_capacity(bytes.len()));
    filter.filter(bytes, &mut clean).map_err(|error| match (&error, clean.is_full()) {
        (_, true) => SvgRefused::TooLarge,
        (svg_hush::FError::Reader(why), _) => SvgRefused::Broken(why.to_string()),
        (svg_hush::FError::Writer(why), _) => SvgRefused::Broken(why.to_string()),
    })?;
    Ok(clean.0)
}

/// Takes so much and no more.
struct Bounded(Vec<u8>);

impl Bounded {
    fn is_full(&self) -> bool {
        self.0.len() >= MOST_WRITTEN
    }
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = MOST_WRITTEN - self.0.len();
        if room == 0 && !bytes.is_empty() {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        let taken = bytes.len().min(room);
        self.0.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Entities are plain texts, and all their uses together stay small.
fn entities_are_small(text: &str) -> Result<(), SvgRefused> {
    let Some(begin) = text.find("<!ENTITY") else { return Ok(()) };
    let last = text.rfind("<!ENTITY").unwrap_or(begin);
    let end = text[last..].find(']').map_or(text.len(), |end| last + end);
    let declared = &text[begin..end];
    let has_elements = declared.match_indices('<').any(|(at, _)| !declared[at + 1..].starts_with('!'));
    let becomes = declared.len().saturating_mul(text.matches('&').count());
    let is_elsewhere = declared.contains("SYSTEM") || declared.contains("PUBLIC");
    if declared.contains(['&', '%']) || is_elsewhere || has_elements || becomes > MOST_EXPANDED {
        Err(SvgRefused::Entities)
    } else {
        Ok(())
    }
}

/// Elements are not too deep in each other. What is no XML is refused later, where it ceases to be.
fn is_shallow(text: &str) -> Result<(), SvgRefused> {
    let past = |from: usize, end: &str| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(next) = text[at..].find('<') {
        at += next;
        let rest = &text[at..];
        if rest.starts_with("<!--") {
            at = past(at + 4, "-->");
        } else if rest.starts_with("<![CDATA[") {
            at = past(at, "]]>");
        } else if rest.starts_with("<?") {
            at = past(at, "?>");
        } else if rest.starts_with("<!") {
            at += 2;
        } else if rest.starts_with("</") {
            depth = depth.saturating_sub(1);
            at += 2;
        } else {
            let end = end_of_tag(rest);
            if !rest[..end].ends_with("/>") {
                depth += 1;
            }
            at += end;
        }
        if depth > DEEPEST {
            return Err(SvgRefused::TooDeep);
        }
    }
    Ok(())
}

/// Where a tag ends: not within quotes.
fn end_of_tag(text: &str) -> usize {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            (b'"' | b'\'', None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            (b'>', None) => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NAMESPACE: &str = "xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";

    const NAMESPACE_OF_SVG: &str = "xmlns=\"http://www.w3.org/2000/svg\"";

    fn clean(inside: &str) -> String {
        let drawing = format!("<svg {NAMESPACE}>{inside}</svg>");
        String::from_utf8(sanitize_svg(drawing.as_bytes()).expect(inside)).expect("text")
    }

    #[test]
    fn what_draws_stays() {
        let kept = clean(
            "<defs><linearGradient id='g'/></defs><path d='M0 0L1 1' fill='url(#g)' style='opacity:.5'/><text>Grüße</text><use xlink:href='#g'/>",
        );
        for part in ["linearGradient", "M0 0L1 1", "url(#g)", "opacity:.5", "Grüße", "href=\"#g\""] {
            assert!(kept.contains(part), "{part}: {kept}");
        }
        let picture = "data:image/png;base64,iVBORw0KGgo=";
        assert!(clean(&format!("<image href='{picture}'/>")).contains(picture));
    }

    #[test]
    fn what_acts_or_loads_goes() {
        for inside in [
            "<script>alert(1)</script>",
            "<script href='https://evil.example/a.js'/>",
            "<g onload='alert(1)'/>",
            "<a href='javascript:alert(1)'><text>x</text></a>",
            "<a xlink:href='java\nscript:alert(1)'/>",
            "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml' onload='alert(1)'/></foreignObject>",
            "<image href='https://evil.example/alert'/>",
            "<image href='data:image/svg+xml;base64,alert'/>",
            "<use href='https://evil.example/alert#a'/>",
            "<style>@import url(https://evil.example/alert); a{background:url(https://evil.example/alert)}</style>",
            "<set attributeName='onclick' to='alert(1)'/>",
            "<animate attributeName='href' values='/alert'/>",
            "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>",
            "<iframe src='alert'/>",
            "<?xml-stylesheet href='https://evil.example/alert'?>",
        ] {
            let left = clean(inside);
            for gone in [
                "script",
                "onload",
                "onclick",
                "attributeName",
                "svg+xml",
                "=\"http",
                "@import",
                "url(http",
                "foreignObject",
                "iframe",
                "xml-stylesheet",
            ] {
                assert!(!left.replace(NAMESPACE_OF_SVG, "").contains(gone), "{inside}: {left}");
            }
        }
    }

    #[test]
    fn entities_that_grow_are_refused() {
        let laughs = "<!DOCTYPE svg [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;\">]><svg xmlns=\"http://www.w3.org/2000/svg\"><text>&c;</text></svg>";
        assert_eq!(sanitize_svg(laughs.as_bytes()), Err(SvgRefused::Entities));
        let long =
            format!("<!DOCTYPE svg [<!ENTITY a \"{}\">]><svg {NAMESPACE}><text>{}</text></svg>", "a".repeat(10_000), "&a;".repeat(10_000));
        assert_eq!(sanitize_svg(long.as_bytes()), Err(SvgRefused::Entities));
        let outside = format!("<!DOCTYPE svg [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><svg {NAMESPACE}><text>&a;</text></svg>");
        assert_eq!(sanitize_svg(outside.as_bytes()), Err(SvgRefused::Entities));
        let hidden = format!("<!DOCTYPE svg [<!ENTITY a \"<g><script>alert(1)</script></g>\">]><svg {NAMESPACE}>&a;</svg>");
        assert_eq!(sanitize_svg(hidden.as_bytes()), Err(SvgRefused::Entities));
    }

    #[test]
    fn namespaces_as_entities_are_read() {
        let drawing = "<?xml version=\"1.0\"?><!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\" [\n<!ENTITY ns_svg \"http://www.w3.org/2000/svg\">\n]><svg xmlns=\"&ns_svg;\"><rect width=\"1\"/></svg>";
        let clean = sanitize_svg(drawing.as_bytes()).expect("a drawing");
        assert!(String::from_utf8(clean).expect("text").contains("rect"));
    }

    #[test]
    fn depth_and_size_are_bounded() {
        let deep = |depth: usize| format!("<svg {NAMESPACE}>{}{}</svg>", "<g a='>'>".repeat(depth), "</g>".repeat(depth));
        assert!(sanitize_svg(deep(DEEPEST - 1).as_bytes()).is_ok());
        assert_eq!(sanitize_svg(deep(DEEPEST).as_bytes()), Err(SvgRefused::TooDeep));
        assert_eq!(sanitize_svg(&vec![b' '; MOST_SVG_BYTES + 1]), Err(SvgRefused::TooLarge));
        let wide = format!("<svg {NAMESPACE}>{}{}{}</svg>", "<g>".repeat(DEEPEST - 5), "<g/>".repeat(300_000), "</g>".repeat(DEEPEST - 5));
        assert_eq!(sanitize_svg(wide.as_bytes()), Err(SvgRefused::TooLarge), "indented it is larger than it was");
    }

    #[test]
    fn what_is_no_drawing_is_refused() {
        for text in [
            "",
            "text",
            "<html><body/></html>",
            "<svg",
            "<svg xmlns='http://www.w3.org/2000/svg'>",
            "<svg/>",
            "<svg xmlns='http://www.w3.org/2000/svg'/><svg/>",
        ] {
            assert!(matches!(sanitize_svg(text.as_bytes()), Err(SvgRefused::Broken(_))), "{text}");
        }
        let sixteen: Vec<u8> = format!("<svg {NAMESPACE}/>").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(sanitize_svg(&sixteen).is_err());
    }

    proptest! {
        #[test]
        fn what_is_clean_is_clean_again(inside in "(<g>|</g>|<a href='x'>|</a>|text|<!--|-->|<!\\[CDATA\\[|\\]\\]>|&lt;|<rect/>|<script>|</script>|'|\"){0,12}") {
            if let Ok(once) = sanitize_svg(format!("<svg {NAMESPACE}>{inside}</svg>").as_bytes()) {
                prop_assert!(!String::from_utf8_lossy(&once).contains("<script"));
                prop_assert!(sanitize_svg(&once).is_ok());
            }
        }
    }
}
