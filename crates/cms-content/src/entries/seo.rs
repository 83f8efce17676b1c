//! What search engines are told about an entry, as a request changes it.

use cms_domain::{bounded::Bounded, collection::Collection, entry::Seo, issue::Issue, patch::Patch};
use schemars::JsonSchema;
use serde::Deserialize;
use url::Url;

/// The longest address, in characters; browsers and proxies take about as many.
const MAX_ADDRESS: usize = 2048;

/// A change of what search engines are told. Members that are absent stay; null clears.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeoPatch {
    /// Title for search results.
    #[serde(default)]
    pub title: Patch<Bounded<0, 200>>,
    /// Description for search results.
    #[serde(default)]
    pub description: Patch<Bounded<0, 500>>,
    /// Image for previews: a media id or a URL.
    #[serde(default)]
    pub image: Patch<Bounded<0, MAX_ADDRESS>>,
    /// Address that search engines should prefer; http or https.
    #[serde(default)]
    pub canonical: Patch<Bounded<0, MAX_ADDRESS>>,
    /// Whether search engines are asked to leave the entry out.
    pub no_index: Option<bool>,
}

impl SeoPatch {
    /// The members afterwards. Reports every member that breaks a rule.
    pub(super) fn apply(self, collection: &Collection, seo: &Seo, issues: &mut Vec<Issue>) -> Seo {
        if !collection.has_seo {
            issues.push(Issue::new("seo", "NOT_SUPPORTED", format!("the collection `{}` has no SEO members", collection.slug)));
            return seo.clone();
        }
        if self.canonical.as_set().is_some_and(|text| !is_web_address(text.as_str())) {
            issues.push(Issue::new("seo.canonical", "INVALID_URL", "expected an address that begins with http:// or https://"));
        }
        let mut seo = seo.clone();
        text(self.title, &mut seo.title);
        text(self.description, &mut seo.description);
        text(self.image, &mut seo.image);
        text(self.canonical, &mut seo.canonical);
        seo.no_index = self.no_index.unwrap_or(seo.no_index);
        seo
    }
}

fn text<const MIN: usize, const MAX: usize>(patch: Patch<Bounded<MIN, MAX>>, value: &mut Option<String>) {
    match patch {
        Patch::Keep => {}
        Patch::Clear => *value = None,
        Patch::Set(text) => *value = Some(text.into_string()),
    }
}

fn is_web_address(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_addresses_are_canonical() {
        for (text, fits) in [
            ("https://example.com/a", true),
            ("http://example.com", true),
            ("javascript:alert(1)", false),
            ("/a", false),
            ("", false),
            ("mailto:a@example.com", false),
        ] {
            assert_eq!(is_web_address(text), fits, "{text}");
        }
    }
}
