//! Where a collection came from.

use std::str::FromStr;

use crate::text::{schema_of, text_type};

/// Where a collection came from: `manual`, `seed`, `discovered`, `template:…` or `import:…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source(String);

/// The text does not say where a collection came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected `manual`, `seed`, `discovered`, `template:` or `import:` with a name, in {} characters at most", Source::MAX_LENGTH)]
pub struct SourceError;

impl Source {
    /// The longest spelling, in characters.
    pub const MAX_LENGTH: usize = 200;
    /// Made by hand.
    pub const MANUAL: &str = "manual";
    /// Made from content that was found without a collection.
    pub const DISCOVERED: &str = "discovered";
}

impl FromStr for Source {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Self, SourceError> {
        let known = match text.split_once(':') {
            Some((kind, name)) => matches!(kind, "template" | "import") && !name.is_empty() && !name.contains(char::is_control),
            None => matches!(text, Self::MANUAL | "seed" | Self::DISCOVERED),
        };
        if known && text.chars().count() <= Self::MAX_LENGTH { Ok(Self(text.to_owned())) } else { Err(SourceError) }
    }
}

text_type!(Source);
schema_of!(Source, "Source", {
    "type": "string",
    "pattern": r"^(manual|seed|discovered|(template|import):[^\x00-\x1f\x7f-\x9f]+)$",
    "maxLength": 200
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_one_of_five_kinds() {
        for text in ["manual", "seed", "discovered", "template:blog", "import:wordpress:2"] {
            assert!(text.parse::<Source>().is_ok(), "{text}");
        }
        for text in ["", "template:", "plugin:x", "Manual", &format!("import:{}", "x".repeat(200))] {
            assert_eq!(text.parse::<Source>(), Err(SourceError), "{text}");
        }
    }
}
