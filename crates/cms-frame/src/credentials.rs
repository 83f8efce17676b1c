//! Who a request is from, by the credentials in its header: the one reading of them, for every door that has headers.

use cms_domain::access::Actor;

use crate::{Cms, Code, Error};

/// Who sends a request with these `Authorization` values: nobody, unless it says who.
pub async fn identify<'a>(cms: &Cms, mut sent: impl Iterator<Item = &'a [u8]>) -> Result<Actor, Error> {
    let Some(credentials) = sent.next() else { return Ok(Actor::Anonymous) };
    let (Some(token), None) = (bearer(credentials), sent.next()) else {
        return Err(Error::with(Code::InvalidToken, "send one access token as `Authorization: Bearer <token>`"));
    };
    cms.identify(token).await
}

fn bearer(credentials: &[u8]) -> Option<&str> {
    let (scheme, token) = std::str::from_utf8(credentials).ok()?.split_once(' ')?;
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
            assert_eq!(bearer(sent.as_bytes()), token, "{sent}");
        }
    }
}
