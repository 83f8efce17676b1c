//! Reads the query of an address, strictly: what two readers could read in two ways is refused.

use std::collections::HashSet;

use cms_domain::issue::Issue;
use percent_encoding::percent_decode_str;

/// How much of a name that the caller wrote is said back.
const MAX_ECHO: usize = 64;

/// The pairs of a query in their order, and what is wrong with the others.
pub(crate) fn pairs(query: &str) -> (Vec<(String, String)>, Vec<Issue>) {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut names = HashSet::new();
    let mut issues = Vec::new();
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let name = match decode(name) {
            Ok(name) => name,
            Err(message) => {
                issues.push(Issue::new(echo(name), "INVALID_ENCODING", message));
                continue;
            }
        };
        match decode(value) {
            Err(message) => issues.push(Issue::new(echo(&name), "INVALID_ENCODING", message)),
            Ok(_) if !names.insert(name.clone()) => {
                issues.push(Issue::new(echo(&name), "DUPLICATE", "is given twice in the query"));
            }
            Ok(value) => pairs.push((name, value)),
        }
    }
    (pairs, issues)
}

/// The beginning of a name, for a message.
pub(crate) fn echo(name: &str) -> String {
    name.chars().take(MAX_ECHO).collect()
}

fn decode(text: &str) -> Result<String, &'static str> {
    let escapes = text.split('%').skip(1);
    if escapes.into_iter().any(|after| !matches!(after.as_bytes(), [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())) {
        return Err("has a `%` that two hexadecimal digits do not follow");
    }
    let text = text.replace('+', " ");
    let text = percent_decode_str(&text).decode_utf8().map_err(|_| "is not UTF-8")?;
    if text.contains('\0') { Err("has the character U+0000") } else { Ok(text.into_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Vec<(String, String)> {
        let (pairs, issues) = pairs(query);
        assert_eq!(issues, []);
        pairs
    }

    fn refused(query: &str) -> Vec<String> {
        pairs(query).1.into_iter().map(|issue| format!("{} {}", issue.path, issue.code)).collect()
    }

    #[test]
    fn names_and_values_are_decoded() {
        let expected = [("a", "ä &=+"), ("b c", ""), ("d", "")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(read("a=%C3%A4+%26%3d%2B&b%20c=&d&&"), expected);
    }

    #[test]
    fn what_is_not_text_is_refused() {
        assert_eq!(
            refused("a=%FF&b=%&c=%4&d=%zz&e=%00&%FF=1"),
            ["a", "b", "c", "d", "e", "%FF"].map(|name| format!("{name} INVALID_ENCODING"))
        );
    }

    #[test]
    fn a_name_is_given_once() {
        assert_eq!(refused("a=1&b=2&%61=3"), ["a DUPLICATE"]);
    }
}
