//! The HTML that stands for marks within a line, where Markdown has no sign of its own or the sign cannot stand.

/// Decorators and their tags.
const DECORATORS: [(&str, &str); 7] = [
    ("strong", "strong"),
    ("em", "em"),
    ("underline", "u"),
    ("strike-through", "s"),
    ("subscript", "sub"),
    ("superscript", "sup"),
    ("code", "code"),
];

/// What a piece of HTML within a line is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A line break.
    Break,
    /// The beginning of a decorator.
    Open(&'static str),
    /// The end of a decorator.
    Close(&'static str),
    /// The beginning of a link.
    OpenLink { href: String, blank: bool },
    /// The end of a link.
    CloseLink,
}

/// The tag of a decorator.
pub(super) fn of(decorator: &str) -> Option<&'static str> {
    DECORATORS.iter().find(|(name, _)| *name == decorator).map(|(_, tag)| *tag)
}

/// The tag that begins a link.
pub(super) fn link(href: &str, blank: bool) -> String {
    let target = if blank { " target=\"_blank\"" } else { "" };
    format!("<a href=\"{}\"{target}>", href.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;"))
}

/// Reads a tag. None is one that a value cannot hold.
pub(super) fn read(html: &str) -> Option<Piece> {
    let inner = html.strip_prefix('<')?.strip_suffix('>')?;
    if let Some(name) = inner.strip_prefix('/') {
        let name = name.trim_end();
        return if name == "a" { Some(Piece::CloseLink) } else { decorator(name).map(Piece::Close) };
    }
    if inner.trim_end_matches('/').trim_end() == "br" {
        return Some(Piece::Break);
    }
    match inner.strip_prefix("a ") {
        Some(attributes) => read_link(attributes),
        None => decorator(inner).map(Piece::Open),
    }
}

/// The decorator of a tag; those that people write for the same things as well.
fn decorator(tag: &str) -> Option<&'static str> {
    let tag = match tag {
        "b" => "strong",
        "i" => "em",
        "del" => "s",
        tag => tag,
    };
    DECORATORS.iter().find(|(_, known)| *known == tag).map(|(name, _)| *name)
}

fn read_link(attributes: &str) -> Option<Piece> {
    let (href, rest) = attributes.trim_start().strip_prefix("href=\"")?.split_once('"')?;
    let blank = match rest.trim() {
        "" => false,
        "target=\"_blank\"" => true,
        _ => return None,
    };
    // The ampersand last: what it makes is not read again.
    let href = href.replace("&gt;", ">").replace("&lt;", "<").replace("&quot;", "\"").replace("&amp;", "&");
    Some(Piece::OpenLink { href, blank })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_comes_back_whatever_its_address_is() {
        for href in ["https://example.org/?a=1&b=2", "a\"b", "<>", "&amp;", "&quot;&", ""] {
            for blank in [false, true] {
                assert_eq!(read(&link(href, blank)), Some(Piece::OpenLink { href: href.to_owned(), blank }), "{href}");
            }
        }
    }

    #[test]
    fn a_tag_that_no_mark_stands_for_is_none() {
        for html in
            ["<span>", "<a>", "<a name=\"x\">", "<u class=\"x\">", "<!-- x -->", "<br clear>", "<a href=\"x\" onclick=\"y\">", "<?x>"]
        {
            assert_eq!(read(html), None, "{html}");
        }
    }
}
