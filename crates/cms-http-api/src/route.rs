//! Where the members of an operation's input go in a request: the client's half of this door.

use cms_frame::{
    Error,
    operation::{Http, Method as Verb, name_in},
};
use http::Method;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use crate::{bind::has_body, path};

/// A request before it has a caller.
#[derive(Debug, Clone, PartialEq)]
pub struct RouteRequest {
    /// Method.
    pub method: Method,
    /// Path and query below the API's root.
    pub path: String,
    /// Body.
    pub body: Option<Value>,
}

/// Where a member of an input is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    Body,
}

impl Place {
    pub(crate) fn of(http: &Http, name: &str) -> Self {
        if path::names(http.path).any(|known| known == name) {
            Self::Path
        } else if !has_body(http.method) || http.query.contains(&name) {
            Self::Query
        } else {
            Self::Body
        }
    }
}

impl RouteRequest {
    /// Puts each member of an input into the path, the query or the body, as the route has it.
    pub fn new(http: &Http, input: &Map<String, Value>) -> Result<Self, Error> {
        let segments = http.path.split('/').map(|segment| match name_in(segment) {
            Some(name) => input.get(name).map(encoded).ok_or_else(|| Error::issue(name, "REQUIRED", "is required")),
            None => Ok(segment.to_owned()),
        });
        let mut path = segments.collect::<Result<Vec<_>, _>>()?.join("/");
        // In a query, what has no value is left out.
        let query = input.iter().filter(|(name, value)| Place::of(http, name) == Place::Query && !value.is_null());
        for (at, (name, value)) in query.enumerate() {
            path.push(if at == 0 { '?' } else { '&' });
            path.push_str(&utf8_percent_encode(name, NON_ALPHANUMERIC).to_string());
            path.push('=');
            path.push_str(&encoded(value));
        }
        let method = match http.method {
            Verb::Get => Method::GET,
            Verb::Post => Method::POST,
            Verb::Put => Method::PUT,
            Verb::Patch => Method::PATCH,
            Verb::Delete => Method::DELETE,
        };
        let body = input.iter().filter(|(name, _)| Place::of(http, name) == Place::Body);
        let body = has_body(http.method).then(|| Value::Object(body.map(|(name, value)| (name.clone(), value.clone())).collect()));
        Ok(Self { method, path, body })
    }
}

/// A value as a path or a query spells it.
fn encoded(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    utf8_percent_encode(&text, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_member_goes_where_the_route_has_it() {
        let Value::Object(input) = json!({ "collection": "posts", "id": "ä b", "locale": "en", "status": null, "data": {} }) else {
            unreachable!()
        };
        let put = RouteRequest::new(&Http::put("x", "/content/{collection}/{id}").query(&["locale"]), &input).unwrap();
        assert_eq!(put.path, "/content/posts/%C3%A4%20b?locale=en");
        assert_eq!(put.body, Some(json!({ "data": {}, "status": null })));
        let delete = RouteRequest::new(&Http::delete("x", "/content/{collection}/{id}"), &input).unwrap();
        assert_eq!(delete.path, "/content/posts/%C3%A4%20b?locale=en&data=%7B%7D");
        assert_eq!(delete.body, None);
    }

    #[test]
    fn what_the_path_needs_is_missed_by_its_name() {
        let refused = RouteRequest::new(&Http::get("x", "/content/{collection}"), &Map::new()).unwrap_err();
        assert_eq!(refused.message(), "`collection` is required");
    }
}
