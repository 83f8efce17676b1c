//! Where the members of an operation's input go in a REST request: the client's half of the REST door.

use cms_core::operation::{Http, Method as Verb};
use http::Method;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

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

/// Puts each member into the path, the query or the body, as the route has it.
///
/// # Panics
/// Panics when a member of the path is missing.
pub fn request(http: &Http, input: &Map<String, Value>) -> RouteRequest {
    let mut rest = input.clone();
    let segments = http.path.split('/').map(|segment| match segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
        Some(name) => match rest.shift_remove(name) {
            Some(value) => encoded(&value),
            None => panic!("the sample of {} lacks `{name}`", http.operation_id),
        },
        None => segment.to_owned(),
    });
    let mut path = segments.collect::<Vec<_>>().join("/");
    let has_body = matches!(http.method, Verb::Post | Verb::Put | Verb::Patch);
    let (query, body): (Vec<_>, Map<_, _>) = split(rest, |name| !has_body || http.query.contains(&name));
    for (at, (name, value)) in query.iter().enumerate() {
        path.push(if at == 0 { '?' } else { '&' });
        path.push_str(name);
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
    RouteRequest { method, path, body: has_body.then_some(Value::Object(body)) }
}

fn split(members: Map<String, Value>, to_query: impl Fn(&str) -> bool) -> (Vec<(String, Value)>, Map<String, Value>) {
    let (query, body): (Vec<_>, Vec<_>) = members.into_iter().partition(|(name, _)| to_query(name));
    (query, body.into_iter().collect())
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
        let Value::Object(input) = json!({ "collection": "posts", "id": "ä b", "locale": "en", "data": {} }) else { unreachable!() };
        let put = request(&Http::put("x", "/content/{collection}/{id}").query(&["locale"]), &input);
        assert_eq!(put.path, "/content/posts/%C3%A4%20b?locale=en");
        assert_eq!(put.body, Some(json!({ "data": {} })));
        let delete = request(&Http::delete("x", "/content/{collection}/{id}"), &input);
        assert_eq!(delete.path, "/content/posts/%C3%A4%20b?locale=en&data=%7B%7D");
        assert_eq!(delete.body, None);
    }
}
