//! Locales: what a code looks like, and which ones a site has.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{schema_of, text_type};

/// A locale code as in BCP 47, language first: `en`, `pt-BR`, `zh-Hant`. Compared without regard to case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Locale(String);

/// The text is not a locale code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a locale code: expected a language of 2 or 3 letters and parts of 2 to 8 letters or digits, as in `en` or `pt-BR`")]
pub struct LocaleError;

/// The site does not have the locale.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the locale `{asked}` is not configured; this site has {}", .configured.join(", "))]
pub struct UnknownLocale {
    /// The locale that was asked for.
    pub asked: String,
    /// The locales of the site.
    pub configured: Vec<String>,
}

impl Locale {
    /// The longest code; real ones are far shorter (RFC 5646, section 4.4.1, gives 35).
    pub const MAX_LENGTH: usize = 35;
}

impl std::str::FromStr for Locale {
    type Err = LocaleError;

    fn from_str(text: &str) -> Result<Self, LocaleError> {
        let mut parts = text.split('-');
        let language =
            parts.next().is_some_and(|part| (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
        let rest = parts.all(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        if language && rest && text.len() <= Self::MAX_LENGTH { Ok(Self(text.to_owned())) } else { Err(LocaleError) }
    }
}

text_type!(Locale);
schema_of!(Locale, "Locale", { "type": "string", "pattern": "^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$", "maxLength": 35 });

/// The locales of a site; the first is the default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Vec<Locale>", into = "Vec<Locale>")]
#[schemars(with = "Vec<Locale>")]
pub struct Locales(Vec<Locale>);

impl Locales {
    /// The locale of new entries that name none.
    pub fn default_locale(&self) -> &Locale {
        &self.0[0]
    }

    /// The locales, the default first.
    pub fn all(&self) -> &[Locale] {
        &self.0
    }

    /// Whether there is more than one.
    pub fn several(&self) -> bool {
        self.0.len() > 1
    }

    /// The configured locale that `asked` names, in its configured spelling.
    pub fn resolve(&self, asked: &Locale) -> Result<&Locale, UnknownLocale> {
        self.0
            .iter()
            .find(|locale| locale.0.eq_ignore_ascii_case(&asked.0))
            .ok_or_else(|| UnknownLocale { asked: asked.0.clone(), configured: self.0.iter().map(|locale| locale.0.clone()).collect() })
    }
}

impl Default for Locales {
    fn default() -> Self {
        Self(vec![Locale("en".to_owned())])
    }
}

impl TryFrom<Vec<Locale>> for Locales {
    type Error = &'static str;

    fn try_from(locales: Vec<Locale>) -> Result<Self, Self::Error> {
        if locales.is_empty() {
            return Err("a site has at least one locale");
        }
        let repeats =
            locales.iter().enumerate().any(|(n, locale)| locales[..n].iter().any(|earlier| earlier.0.eq_ignore_ascii_case(&locale.0)));
        if repeats { Err("a locale is named twice") } else { Ok(Self(locales)) }
    }
}

impl From<Locales> for Vec<Locale> {
    fn from(locales: Locales) -> Self {
        locales.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_is_found_whatever_its_case() {
        let locales: Locales = vec!["en".parse().unwrap(), "pt-BR".parse().unwrap()].try_into().unwrap();
        assert_eq!(locales.resolve(&"PT-br".parse().unwrap()).unwrap().as_str(), "pt-BR");
        assert!(locales.resolve(&"de".parse().unwrap()).is_err());
    }

    #[test]
    fn what_is_no_code_is_refused() {
        for text in ["", "e", "engl", "en_US", "en-", "en-x", "e1", "en-toolongpart"] {
            assert!(text.parse::<Locale>().is_err(), "{text}");
        }
    }
}
