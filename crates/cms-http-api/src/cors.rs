//! Which pages of other origins may have a browser call. Cookies are never part of it, so that letting all of them in gives away nothing but
//! what is public.

use axum::response::Response;
use http::{HeaderMap, HeaderValue, StatusCode, header};

/// How long a browser remembers what it may send, in seconds: an hour, so that what is configured otherwise is so soon.
const PREFLIGHT: HeaderValue = HeaderValue::from_static("3600");
/// What pages may read of an answer besides what they may always read.
const EXPOSED: HeaderValue = HeaderValue::from_static("etag, retry-after, www-authenticate, x-request-id");
/// All origins.
const EVERY: HeaderValue = HeaderValue::from_static("*");

/// Which pages may call.
pub(crate) struct Cors {
    /// From where; none for everywhere.
    origins: Option<Vec<HeaderValue>>,
    /// What they may send besides what they may always send.
    headers: HeaderValue,
    /// The status of the answer to a browser that asks first.
    status: StatusCode,
}

impl Cors {
    /// Pages of every site. Clients of the tool endpoint say which version they speak with every request, discovery included.
    pub(crate) const EVERYONE: Self =
        Self { origins: None, headers: HeaderValue::from_static("content-type, mcp-protocol-version"), status: StatusCode::NO_CONTENT };

    /// Pages of the origins that are named, or of all for `*`. None are, unless some are named.
    pub(crate) fn of(origins: &[String]) -> Option<Self> {
        let named = || origins.iter().filter_map(|origin| HeaderValue::try_from(origin.trim_end_matches('/')).ok()).collect();
        let is_open = origins.iter().any(|origin| origin == "*");
        (!origins.is_empty()).then(|| Self {
            origins: (!is_open).then(named),
            headers: HeaderValue::from_static(
                "authorization, content-type, accept, if-none-match, x-request-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id",
            ),
            status: StatusCode::OK,
        })
    }

    /// The answer to a browser that asks before it sends.
    pub(crate) fn preflight(&self, methods: Option<HeaderValue>) -> Response {
        let mut response = Response::default();
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, self.headers.clone());
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT);
        headers.extend(methods.map(|methods| (header::ACCESS_CONTROL_ALLOW_METHODS, methods)));
        response
    }

    /// Says in an answer whether the page that asked may read it.
    pub(crate) fn tell(&self, asked: &HeaderMap, answer: &mut HeaderMap) {
        let origin = match &self.origins {
            None => Some(EVERY),
            Some(named) => {
                answer.append(header::VARY, HeaderValue::from_static("origin"));
                asked.get(header::ORIGIN).filter(|origin| named.contains(origin)).cloned()
            }
        };
        if let Some(origin) = origin {
            answer.entry(header::ACCESS_CONTROL_ALLOW_ORIGIN).or_insert(origin);
            answer.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The origin that is let in, for a page of an origin.
    fn told(cors: &Cors, origin: &'static str) -> Option<HeaderValue> {
        let mut answer = HeaderMap::new();
        cors.tell(&HeaderMap::from_iter([(header::ORIGIN, HeaderValue::from_static(origin))]), &mut answer);
        answer.remove(header::ACCESS_CONTROL_ALLOW_ORIGIN)
    }

    #[test]
    fn pages_are_let_in_by_their_whole_origin() {
        let named = Cors::of(&["https://a.example/".to_owned(), "https://b.example".to_owned()]).unwrap();
        for (origin, is_let_in) in [
            ("https://a.example", true),
            ("https://b.example", true),
            ("https://a.example.evil", false),
            ("http://a.example", false),
            ("null", false),
        ] {
            assert_eq!(told(&named, origin).is_some_and(|told| told == origin), is_let_in, "{origin}");
        }
        assert_eq!(told(&Cors::of(&["*".to_owned()]).unwrap(), "https://any.example"), Some(EVERY));
        assert!(Cors::of(&[]).is_none());
    }
}
