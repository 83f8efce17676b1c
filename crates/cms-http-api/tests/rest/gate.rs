//! What stands before every operation: where a request comes from, and how often it may come.

use std::{net::SocketAddr, time::Duration};

use axum::{body::Body, extract::ConnectInfo};
use cms_domain::{access::Access, user::Role};
use cms_frame::{
    Cx, Error,
    operation::{Http, Limit, Operation, Tool},
};
use cms_http_api::HttpOptions;
use http::{Request, request::Builder};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::site::{Answer, Site, site};

/// Knock. Twice a minute.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Knock {}

impl Operation for Knock {
    const ID: &'static str = "test.knock";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("testKnock", "/test/knock").internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::a_minute(2));
    type Output = Value;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Value, Error> {
        Ok(json!({ "address": cx.client().address, "agent": cx.client().agent }))
    }
}

/// The same site set up otherwise, with a door to knock at.
pub(crate) fn open(site: &Site, options: HttpOptions) -> Site {
    let site = site.with(options);
    if site.app.cms().catalog().get(Knock::ID).is_none() { site.having::<Knock>() } else { site }
}

/// A request to the API as a page of the site sends it.
pub(crate) fn request(method: &str, path: &str) -> Builder {
    Request::builder()
        .method(method)
        .uri(format!("/_cms/api{path}"))
        .header("host", "localhost:8080")
        .header("content-type", "application/json")
        .header("x-cms-request", "1")
}

/// Signs in with what the browser has, and answers with the secret that it is to keep.
pub(crate) async fn sign_in(site: &Site, role: Role, cookie: Option<&str>) -> String {
    let mut request = request("POST", "/test/sign-in");
    if let Some(cookie) = cookie {
        request = request.header("cookie", cookie);
    }
    let answer = site.send(request.body(Body::from(json!({ "role": role }).to_string())).unwrap()).await;
    answer.expect(200);
    let cookie = answer.header("set-cookie").split_once(';').unwrap().0.to_owned();
    cookie.split_once('=').unwrap().1.to_owned()
}

/// Asks who the session's user is.
pub(crate) async fn me(site: &Site, secret: &str) -> Answer {
    site.send(request("GET", "/auth/me").header("cookie", format!("cms_session={secret}")).body(Body::empty()).unwrap()).await
}

async fn knock(site: &Site, peer: Option<&str>, forwarded: &[&str]) -> Answer {
    let mut request = request("POST", "/test/knock");
    for line in forwarded {
        request = request.header("x-forwarded-for", *line);
    }
    let mut request = request.body(Body::from("{}")).unwrap();
    if let Some(peer) = peer {
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 4711)));
    }
    site.send(request).await
}

#[tokio::test]
async fn the_address_is_the_one_that_the_outermost_trusted_proxy_saw() {
    site(|site| async move {
        let unknown = Value::Null;
        for (hops, forwarded, address) in [
            // Nobody is trusted: whatever the header says, the caller wrote it.
            (0, &[][..], json!("203.0.113.9")),
            (0, &["192.0.2.1"], json!("203.0.113.9")),
            // One proxy: the last entry is its own, those before it are whatever the caller sent.
            (1, &["192.0.2.1"], json!("192.0.2.1")),
            (1, &["198.51.100.66, 192.0.2.1"], json!("192.0.2.1")),
            (1, &["198.51.100.66", "192.0.2.1"], json!("192.0.2.1")),
            (1, &["127.0.0.1,198.51.100.66 ,  192.0.2.1"], json!("192.0.2.1")),
            // Two: the inner one saw the outer one.
            (2, &["192.0.2.1, 10.0.0.1"], json!("192.0.2.1")),
            (2, &["198.51.100.66, 192.0.2.1, 10.0.0.1"], json!("192.0.2.1")),
            (2, &["198.51.100.66, 192.0.2.1", "10.0.0.1"], json!("192.0.2.1")),
            (2, &["2001:db8::7, 10.0.0.1"], json!("2001:db8::7")),
            // Not what the proxies send: then nobody knows.
            (1, &[], unknown.clone()),
            (2, &["192.0.2.1"], unknown.clone()),
            (1, &["192.0.2.1, unknown"], unknown.clone()),
            (1, &["192.0.2.1, 999.0.2.1"], unknown.clone()),
            (1, &["192.0.2.1,"], unknown.clone()),
        ] {
            let behind = open(&site, HttpOptions { trusted_hops: hops, ..HttpOptions::default() });
            site.app.clock().advance(Duration::from_mins(1));
            let answer = knock(&behind, Some("203.0.113.9"), forwarded).await;
            assert_eq!(answer.expect(200)["address"], address, "{hops} {forwarded:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn bytes_that_are_no_text_hide_nobody() {
    site(|site| async move {
        let behind = open(&site, HttpOptions { trusted_hops: 1, ..HttpOptions::default() });
        for forged in [&b"\xff"[..], b"\xff, 192.0.2.1\xff", b"\"192.0.2.9"] {
            let line = http::HeaderValue::from_bytes(&[forged, b", 192.0.2.1:4711"].concat()).unwrap();
            let agent = http::HeaderValue::from_bytes(b"Program \xff").unwrap();
            site.app.clock().advance(Duration::from_mins(1));
            let request = request("POST", "/test/knock").header("x-forwarded-for", line).header("user-agent", agent);
            let client = behind.send(request.body(Body::from("{}")).unwrap()).await.expect(200);
            assert_eq!((&client["address"], &client["agent"]), (&json!("192.0.2.1"), &json!("Program \u{fffd}")), "{forged:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn who_comes_through_a_proxy_that_nobody_named_shares_a_wider_limit() {
    site(|site| async move {
        let site = open(&site, HttpOptions::default());
        for (peer, forwarded, times) in [
            ("127.0.0.1", &["192.0.2.1"][..], 40),
            ("172.18.0.2", &["192.0.2.1"], 40),
            ("203.0.113.9", &["192.0.2.1"], 2),
            ("127.0.0.1", &[], 2),
        ] {
            site.app.clock().advance(Duration::from_mins(1));
            for _ in 0..times {
                assert_eq!(knock(&site, Some(peer), forwarded).await.expect(200)["address"], peer, "it stays known who that is");
            }
            assert_eq!(knock(&site, Some(peer), forwarded).await.failure(), "429 RATE_LIMITED", "{peer} {forwarded:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_limit_says_when_it_ends_and_ends_then_on_all_servers() {
    site(|site| async move {
        let node = open(&site, HttpOptions::default());
        let other = site.beside(HttpOptions::default()).having::<Knock>();
        site.app.clock().advance(Duration::from_secs(20));
        let address = Some("192.0.2.1");
        knock(&node, address, &[]).await.expect(200);
        knock(&other, address, &[]).await.expect(200);
        for node in [&node, &other] {
            let refused = knock(node, address, &[]).await;
            assert_eq!((refused.failure().as_str(), refused.header("retry-after")), ("429 RATE_LIMITED", "40"));
        }
        knock(&node, Some("192.0.2.2"), &[]).await.expect(200);
        site.app.clock().advance(Duration::from_secs(39));
        assert_eq!(knock(&node, address, &[]).await.header("retry-after"), "1");
        site.app.clock().advance(Duration::from_secs(1));
        knock(&node, address, &[]).await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn one_customer_is_counted_once_however_many_addresses_they_have() {
    site(|site| async move {
        let node = open(&site, HttpOptions::default());
        for (first, second, third) in
            [("2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff:ffff:ffff:ffff"), ("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1")]
        {
            knock(&node, Some(first), &[]).await.expect(200);
            knock(&node, Some(second), &[]).await.expect(200);
            assert_eq!(knock(&node, Some(third), &[]).await.failure(), "429 RATE_LIMITED", "{third}");
        }
        knock(&node, Some("2001:db8:1:3::1"), &[]).await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn callers_whom_nobody_knows_share_one_count() {
    site(|site| async move {
        let node = open(&site, HttpOptions { trusted_hops: 1, ..HttpOptions::default() });
        for _ in 0..20 {
            knock(&node, Some("192.0.2.1"), &[]).await.expect(200);
            knock(&node, Some("192.0.2.2"), &["nonsense"]).await.expect(200);
        }
        assert_eq!(knock(&node, None, &[]).await.failure(), "429 RATE_LIMITED");
        knock(&node, None, &["192.0.2.1"]).await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn a_bearer_token_that_is_wrong_is_not_made_good_by_a_session() {
    site(|site| async move {
        let site = open(&site, HttpOptions::default());
        let secret = sign_in(&site, Role::Admin, None).await;
        let both = request("GET", "/auth/me")
            .header("cookie", format!("cms_session={secret}"))
            .header("authorization", format!("Bearer cms_pat_{secret}"));
        assert_eq!(site.send(both.body(Body::empty()).unwrap()).await.failure(), "401 INVALID_TOKEN");
    })
    .await;
}

#[tokio::test]
async fn a_host_that_the_caller_made_up_is_in_no_link() {
    site(|site| async move {
        let site = open(&site, HttpOptions::default());
        let secret = sign_in(&site, Role::Admin, None).await;
        let invite = Request::post("/_cms/api/auth/invite")
            .header("host", "evil.example")
            .header("x-forwarded-host", "evil.example")
            .header("forwarded", "host=evil.example")
            .header("content-type", "application/json")
            .header("x-cms-request", "1")
            .header("cookie", format!("cms_session={secret}"));
        let answer = site.send(invite.body(Body::from(json!({ "email": "guest@example.net" }).to_string())).unwrap()).await;
        let url = answer.expect(200)["inviteUrl"].as_str().unwrap().to_owned();
        assert!(url.starts_with("http://localhost:8080/_cms/admin/invite/accept#token="), "{url}");
    })
    .await;
}

#[tokio::test]
async fn no_operation_takes_a_secret_in_its_address() {
    /// What is called a token and opens nothing that lasts: a preview link is a link, which shows one entry and ends by itself; the
    /// token of an edit lock tells one window of its owner from another. The id of a token opens nothing.
    const HARMLESS: [&str; 3] = ["content.preview token", "content.release_lock token", "user.revoke_token tokenId"];
    let mut secrets = Vec::new();
    for operation in cms_core::built_in().iter() {
        let schema = operation.whole_input(schemars::SchemaGenerator::default()).to_value();
        let http = &operation.http;
        let reads = matches!(http.method, cms_frame::operation::Method::Get | cms_frame::operation::Method::Delete);
        for name in schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()) {
            let in_address = reads || http.path.contains(&format!("{{{name}}}")) || http.query.contains(&name);
            let secret = ["token", "secret", "password", "credential"].iter().any(|word| name.to_lowercase().contains(word));
            if !http.path.is_empty() && in_address && secret {
                secrets.push(format!("{} {name}", operation.id));
            }
        }
    }
    secrets.retain(|found| !HARMLESS.contains(&found.as_str()));
    assert_eq!(secrets, [""; 0]);
}
