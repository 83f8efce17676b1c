//! Where a client learns how to get in: the challenge that names the metadata of this resource (RFC 9728).

use cms_accounts::oauth::{metadata::PROTECTED_RESOURCE, origin::asked};
use cms_domain::product::Product;
use http::{HeaderMap, header};

/// The origin that callers use: the public one, or the host that the request names where that can be believed.
pub(crate) fn origin(product: &Product, headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    asked(product.public_origin.as_ref(), host).unwrap_or_else(|| product.origin().to_string())
}

/// What a refused caller is told (RFC 6750, section 3). `parameters` say what was wrong with the token.
pub(crate) fn challenge(origin: &str, parameters: &[(&str, &str)]) -> String {
    let mut challenge = format!("Bearer resource_metadata=\"{origin}{PROTECTED_RESOURCE}\"");
    for (name, value) in parameters {
        challenge.extend([", ", name, "=\"", value, "\""]);
    }
    challenge
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn sent_to(host: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))])
    }

    #[test]
    fn the_configured_origin_wins_over_what_the_request_says() {
        let public = Product { public_origin: Some("https://cms.example.com/".parse().unwrap()), ..Product::default() };
        assert_eq!(origin(&public, &sent_to("evil.example")), "https://cms.example.com");
        assert_eq!(origin(&Product::default(), &sent_to("127.0.0.1:1")), "http://127.0.0.1:1");
    }

    #[test]
    fn a_host_that_may_be_anybodys_is_not_repeated() {
        for host in ["a\", x=\"b", "evil.example"] {
            assert_eq!(origin(&Product::default(), &sent_to(host)), "http://localhost:8080", "{host}");
        }
    }

    #[test]
    fn a_challenge_names_the_metadata_and_what_was_wrong() {
        let expected = "Bearer resource_metadata=\"http://a/.well-known/oauth-protected-resource\", error=\"invalid_token\"";
        assert_eq!(challenge("http://a", &[("error", "invalid_token")]), expected);
    }
}
