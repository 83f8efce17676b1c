//! Finds out who sends a request.

use cms_core::{Cms, Code, Error};
use cms_domain::access::Actor;
use http::{HeaderMap, HeaderValue, header};

/// Who sends a request: nobody, unless it says who.
pub(crate) async fn identify(cms: &Cms, headers: &HeaderMap) -> Result<Actor, Error> {
    let mut credentials = headers.get_all(header::AUTHORIZATION).iter();
    let Some(sent) = credentials.next() else { return Ok(Actor::Anonymous) };
    let (Some(token), None) = (bearer(sent), credentials.next()) else {
        return Err(Error::with(Code::InvalidToken, "send one access token as `Authorization: Bearer <token>`"));
    };
    cms.identify(token).await
}

fn bearer(credentials: &HeaderValue) -> Option<&str> {
    let (scheme, token) = credentials.to_str().ok()?.split_once(' ')?;
    let token = token.trim_start_matches(' ');
    let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte));
    (scheme.eq_ignore_ascii_case("bearer") && is_token).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_bearer_token_is_a_credential() {
        for (sent, token) in [
            ("Bearer abc_-.~+/=", Some("abc_-.~+/=")),
            ("bearer  abc", Some("abc")),
            ("Bearer", None),
            ("Bearer ", None),
            ("Bearer a b", None),
            ("Basic YTpi", None),
            ("abc", None),
            ("", None),
        ] {
            assert_eq!(bearer(&HeaderValue::from_static(sent)), token, "{sent}");
        }
    }
}
