//! Names of files as people see them.

use std::fmt;

use unicode_normalization::UnicodeNormalization;

use crate::Kind;

/// What file systems take, and more than anybody reads.
const LONGEST: usize = 255;

/// An extension that is longer is none, but the last sentence of a title.
const LONGEST_EXTENSION: usize = 16;

/// Names that Windows takes for devices, whatever their extension.
const DEVICES: &[&str] = &[
    "con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt0", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The name of a file, as every system can keep it: in one way of writing it (NFC), without what cannot be seen, what turns text around and what leads into
/// folders.
///
/// Control characters and those that turn text around, or have no width, are removed. Characters that some system reserves become `_`, and a name of a
/// device gets one in front. Dots and white space are taken off both ends, so that no file is hidden.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileName(String);

/// Why a text is no name of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileNameError {
    /// Nothing of it is left.
    #[error("a file needs a name of characters that can be seen")]
    Empty,
    /// It is longer than names are.
    #[error("the name of a file has at most {LONGEST} characters")]
    TooLong,
}

impl FileName {
    /// Reads a name.
    pub fn parse(text: &str) -> Result<Self, FileNameError> {
        // Whatever it is, nobody waits until it is clean.
        if text.len() > LONGEST * 16 {
            return Err(FileNameError::TooLong);
        }
        let seen = text.chars().filter(|character| !is_unseen(*character)).nfc();
        let kept: String = seen.map(|character| if is_reserved(character) { '_' } else { character }).collect();
        let name = kept.trim_matches(is_of_no_end);
        if name.is_empty() {
            return Err(FileNameError::Empty);
        }
        let stem = name.split('.').next().unwrap_or_default().trim_end();
        let is_device = DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device));
        let name = if is_device { format!("_{name}") } else { name.to_owned() };
        if name.chars().count() > LONGEST {
            return Err(FileNameError::TooLong);
        }
        Ok(Self(name))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands before the extension.
    pub fn stem(&self) -> &str {
        self.split().0
    }

    /// The extension, without its dot.
    pub fn extension(&self) -> Option<&str> {
        self.split().1
    }

    /// The name with the extension of what the bytes are, unless it has one of them. A name that becomes too long loses of its stem.
    pub fn for_kind(&self, kind: &Kind) -> Self {
        let (stem, extension) = self.split();
        if extension.is_some_and(|extension| kind.has_extension(extension)) {
            return self.clone();
        }
        let extension = kind.extension();
        let room = LONGEST - extension.len() - 1;
        let stem: String = stem.chars().take(room).collect();
        Self(format!("{}.{extension}", stem.trim_end_matches(is_of_no_end)))
    }

    fn split(&self) -> (&str, Option<&str>) {
        match self.0.rsplit_once('.') {
            Some((stem, extension))
                if !stem.is_empty()
                    && extension.len() <= LONGEST_EXTENSION
                    && extension.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
            {
                (stem, Some(extension))
            }
            _ => (&self.0, None),
        }
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What is not seen, or turns around what is. Joiners stay: scripts and emoji need them.
fn is_unseen(character: char) -> bool {
    let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}');
    let has_no_width =
        matches!(character, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{ad}' | '\u{2028}' | '\u{2029}' | '\u{e0000}'..='\u{e007f}');
    character.is_control() || turns || has_no_width
}

/// What some system keeps for itself.
fn is_reserved(character: char) -> bool {
    matches!(character, '/' | '\\' | '<' | '>' | ':' | '"' | '|' | '?' | '*')
}

/// What no name begins or ends with.
fn is_of_no_end(character: char) -> bool {
    character == '.' || character.is_whitespace()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(text: &str) -> String {
        FileName::parse(text).expect(text).0
    }

    #[test]
    fn ordinary_names_stay() {
        for text in ["photo.jpg", "Résumé 2024.pdf", "写真.png", "a.tar.gz", "no extension", "👩‍🚀.webp", "café.txt"] {
            assert_eq!(name(text), text);
        }
        assert_eq!(name("cafe\u{301}.txt"), "caf\u{e9}.txt", "one way of writing it");
    }

    #[test]
    fn nothing_leads_into_folders_or_hides() {
        assert_eq!(name("../../etc/passwd"), "_.._etc_passwd");
        assert_eq!(name("C:\\Users\\me\\a.jpg"), "C__Users_me_a.jpg");
        assert_eq!(name(".htaccess"), "htaccess");
        assert_eq!(name(" . a.jpg . "), "a.jpg");
        assert_eq!(name("a\0b\r\nc.jpg"), "abc.jpg");
        for text in ["", " ", ".", "..", "...", "\u{202e}", "\0", "\u{feff}."] {
            assert_eq!(FileName::parse(text), Err(FileNameError::Empty), "{text:?}");
        }
    }

    #[test]
    fn no_text_is_turned_around() {
        assert_eq!(name("annual\u{202e}fdp.exe"), "annualfdp.exe");
        for character in ['\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{200e}', '\u{200f}', '\u{61c}'] {
            assert_eq!(name(&format!("a{character}b")), "ab");
        }
    }

    #[test]
    fn what_windows_reserves_is_replaced() {
        assert_eq!(name("a<b>c:d\"e|f?g*.txt"), "a_b_c_d_e_f_g_.txt");
        assert_eq!(name("CON"), "_CON");
        assert_eq!(name("nul.tar.gz"), "_nul.tar.gz");
        assert_eq!(name("aux .txt"), "_aux .txt");
        assert_eq!(name("console.txt"), "console.txt");
    }

    #[test]
    fn a_name_has_at_most_255_characters() {
        assert!(FileName::parse(&"é".repeat(255)).is_ok());
        assert_eq!(FileName::parse(&"é".repeat(256)), Err(FileNameError::TooLong));
        assert_eq!(FileName::parse(&"\0".repeat(1_000_000)), Err(FileNameError::TooLong));
    }

    #[test]
    fn the_bytes_say_which_extension_a_name_has() {
        let png = Kind::of(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").expect("known");
        let jpeg = Kind::of(b"\xff\xd8\xff\xe0\0\x10JFIF\0").expect("known");
        let for_kind = |text: &str, kind: &Kind| FileName::parse(text).expect(text).for_kind(kind).0;
        assert_eq!(for_kind("photo.jpg", &png), "photo.png");
        assert_eq!(for_kind("photo.JPEG", &jpeg), "photo.JPEG");
        assert_eq!(for_kind("photo", &png), "photo.png");
        assert_eq!(for_kind("evil.html", &png), "evil.png");
        assert_eq!(for_kind("evil.php.png", &png), "evil.php.png");
        assert_eq!(for_kind("Dr. Who", &png), "Dr. Who.png");
        assert_eq!(for_kind(&"a".repeat(255), &png).chars().count(), 255);
    }

    proptest! {
        #[test]
        fn whatever_is_sent_becomes_a_safe_name_or_none(text in "(?s).{0,60}|[ ./\\\\a:\u{202e}\u{301}<]{0,12}") {
            if let Ok(name) = FileName::parse(&text) {
                let text = name.as_str();
                prop_assert!(!text.is_empty() && text.chars().count() <= LONGEST);
                prop_assert!(!text.contains(['/', '\\', '\0']) && !text.starts_with('.') && !text.ends_with('.'));
                prop_assert!(!text.chars().any(is_unseen));
                prop_assert_eq!(text.nfc().collect::<String>(), text);
                prop_assert_eq!(&FileName::parse(text).expect("a name is a name"), &name);
                let png = Kind::of(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").expect("known");
                let of_png = name.for_kind(&png);
                prop_assert_eq!(FileName::parse(of_png.as_str()).expect("a name is a name"), of_png);
            }
        }
    }
}
