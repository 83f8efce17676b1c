//! Which kinds of files are taken.

use crate::{Kind, kind};

/// Which kinds of files are taken: media types, and whole families of them such as `video/`. What acts in browsers or on machines is in none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowList(Vec<String>);

/// What is taken where nobody says otherwise. SVG is not in it: it can act.
const DEFAULT: [&str; 8] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "video/", "audio/", "application/pdf"];

impl AllowList {
    /// Reads a list of entries such as `image/png` and `video/`, which may also be written `video/*`. The error names the entry that is none, and says why.
    pub fn parse(entries: &[String]) -> Result<Self, String> {
        let mut list = Vec::new();
        for entry in entries {
            let name = kind::one_name(entry);
            let (family, member) = name
                .split_once('/')
                .ok_or_else(|| format!("`{entry}` is no media type: write `image/png`, or `image/` for all of them"))?;
            let is_token = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte));
            if family.is_empty() || !is_token(family) || !(is_token(member) || member == "*") {
                return Err(format!("`{entry}` is no media type: write `image/png`, or `image/` for all of them"));
            }
            if kind::is_never(&name) {
                return Err(format!("`{entry}` is never taken: such files act in browsers or on machines"));
            }
            let entry = if member == "*" { format!("{family}/") } else { name };
            if !list.contains(&entry) {
                list.push(entry);
            }
        }
        Ok(Self(list))
    }

    /// Whether files of a kind are taken.
    pub fn allows(&self, kind: &Kind) -> bool {
        !kind.is_never_taken() && self.has(kind.media_type())
    }

    /// Whether files of a media type are taken, whichever of its names is used.
    pub fn allows_type(&self, media_type: &str) -> bool {
        let name = kind::one_name(media_type);
        !kind::is_never(&name) && !name.ends_with('/') && self.has(&name)
    }

    /// What both lists have.
    pub fn narrowed_by(&self, other: &Self) -> Self {
        let mut both: Vec<String> = self.0.iter().filter(|entry| other.has(entry)).cloned().collect();
        both.extend(other.0.iter().filter(|entry| self.has(entry) && !self.0.contains(entry)).cloned());
        Self(both)
    }

    /// The entries.
    pub fn entries(&self) -> &[String] {
        &self.0
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|entry| if entry.ends_with('/') { name.starts_with(entry.as_str()) } else { name == entry })
    }
}

impl Default for AllowList {
    fn default() -> Self {
        Self(DEFAULT.map(str::to_owned).to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(entries: &[&str]) -> AllowList {
        AllowList::parse(&entries.iter().map(|entry| (*entry).to_owned()).collect::<Vec<_>>()).expect("a list")
    }

    #[test]
    fn the_default_takes_pictures_films_sound_and_pdf_but_no_svg() {
        let default = AllowList::default();
        for taken in ["image/png", "image/jpg", "IMAGE/AVIF", "video/mp4", "audio/x-wav", "application/pdf"] {
            assert!(default.allows_type(taken), "{taken}");
        }
        for refused in ["image/svg+xml", "text/html", "application/zip", "text/plain", "", "video/", "image/heic"] {
            assert!(!default.allows_type(refused), "{refused}");
        }
        assert_eq!(list(&DEFAULT), default);
    }

    #[test]
    fn families_and_other_names_are_read() {
        let list = list(&["image/*", "video/", "image/jpg", "Application/X-PDF", "image/jpeg"]);
        assert_eq!(list.entries(), ["image/", "video/", "image/jpeg", "application/pdf"]);
        assert!(list.allows_type("image/svg+xml"), "whoever lists all pictures lists drawings");
    }

    #[test]
    fn what_is_no_entry_is_named() {
        for entry in ["", "image", "/png", "*/*", "im age/png", "image/p/ng", "text/html", "application/x-msdownload", ".jpg"] {
            let error = AllowList::parse(&["image/png".to_owned(), entry.to_owned()]).expect_err(entry);
            assert!(error.contains(&format!("`{entry}`")), "{error}");
        }
    }

    #[test]
    fn no_list_takes_what_acts() {
        let all = list(&["text/", "application/"]);
        assert!(all.allows_type("text/csv") && !all.allows_type("text/html") && !all.allows_type("application/javascript"));
        assert!(!all.allows(&Kind::of(b"<html>").expect("known")));
        assert!(all.allows(&Kind::of(b"a,b").expect("known")));
    }

    #[test]
    fn a_list_is_narrowed_to_what_both_have() {
        let both = list(&["image/png", "video/", "application/pdf"]).narrowed_by(&list(&["image/", "video/mp4", "text/csv"]));
        assert_eq!(both.entries(), ["image/png", "video/mp4"]);
        assert!(list(&["image/png"]).narrowed_by(&list(&["image/gif"])).entries().is_empty());
    }
}
