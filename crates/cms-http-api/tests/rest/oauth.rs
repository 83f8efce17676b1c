//! The authorization server on the wire: forms, plain answers, redirects, and what is never repeated.

use axum::body::Body;
use base64::{Engine, engine::general_purpose::STANDARD};
use cms_domain::user::Role;
use http::{Request, header};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::site::{Answer, Site, site};

const CALLBACK: &str = "http://127.0.0.1:7777/callback";
// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const FORM: &str = "application/x-www-form-urlencoded";

async fn post(site: &Site, path: &str, content_type: &str, body: impl Into<Body>) -> Answer {
    let request = Request::post(format!("/_cms/api/oauth{path}")).header("host", "localhost:8080").header("content-type", content_type);
    site.send(request.body(body.into()).unwrap()).await
}

async fn get(site: &Site, host: &str, path: &str) -> Answer {
    site.send(Request::get(path).header("host", host).body(Body::empty()).unwrap()).await
}

async fn register(site: &Site) -> String {
    let metadata = json!({ "client_name": "App", "redirect_uris": [CALLBACK] });
    let answer = post(site, "/register", "application/json", metadata.to_string()).await;
    assert_eq!(answer.status, 201, "{:?}", answer.json());
    answer.json()["client_id"].as_str().unwrap().to_owned()
}

fn query(client: &str) -> String {
    format!(
        "client_id={client}&redirect_uri=http%3A%2F%2F127.0.0.1%3A7777%2Fcallback&response_type=code&code_challenge={CHALLENGE}\
         &code_challenge_method=S256&scope=content%3Aread&state=s%20%26%20t"
    )
}

/// What the page that the browser was sent to does with its query.
async fn decide(site: &Site, client: &str, change: impl FnOnce(http::request::Builder) -> http::request::Builder) -> Answer {
    let body = json!({
        "request": {
            "client_id": client, "redirect_uri": CALLBACK, "response_type": "code", "code_challenge": CHALLENGE, "state": "s & t",
            "code_challenge_method": "S256", "scope": "content:read",
        },
        "scopes": ["content:read"], "action": "approve",
    });
    let request = Request::post("/_cms/api/oauth/authorize").header("host", "localhost:8080").header("content-type", "application/json");
    site.send(change(request).body(Body::from(body.to_string())).unwrap()).await
}

#[tokio::test]
async fn no_scope_is_offered_that_opens_nothing() {
    site(|site| async move {
        let offered = json!(["content:read", "content:write", "media:read", "media:write", "schema:read", "schema:write", "admin"]);
        for path in ["/.well-known/oauth-authorization-server/_cms", "/.well-known/oauth-protected-resource"] {
            assert_eq!(get(&site, "localhost:8080", path).await.json()["scopes_supported"], offered, "{path}");
        }
        let me = site.signed_in("GET", "/_cms/api/auth/me", Body::empty()).await;
        assert_eq!(me.json()["data"]["offeredScopes"], offered);
        // Nor does anybody get one without a word.
        let metadata = json!({ "client_name": "App", "redirect_uris": [CALLBACK] });
        let registered = post(&site, "/register", "application/json", metadata.to_string()).await;
        assert_eq!(registered.json()["scope"], "content:read content:write media:read media:write schema:read schema:write");
    })
    .await;
}

#[tokio::test]
async fn an_application_gets_in_by_forms_alone() {
    site(|site| async move {
        let client = register(&site).await;
        let sent_on = get(&site, "localhost:8080", &format!("/_cms/oauth/authorize?{}&unknown=1", query(&client))).await;
        assert_eq!(sent_on.status, 302);
        assert_eq!(sent_on.header("location"), format!("/_cms/admin/authorize?{}", query(&client)), "what means something goes along");
        assert_eq!((sent_on.header("cache-control"), sent_on.header("referrer-policy")), ("no-store", "no-referrer"));

        let session = site.app.sign_in(Role::Editor).await.unwrap();
        let decided =
            decide(&site, &client, |request| request.header("cookie", format!("cms_session={session}")).header("x-cms-request", "1"));
        let redirect = decided.await.expect(200)["redirect"].as_str().unwrap().to_owned();
        let answer = redirect.strip_prefix(&format!("{CALLBACK}?code=")).unwrap();
        let (code, rest) = answer.split_once('&').unwrap();
        assert_eq!(rest, "state=s+%26+t&iss=http%3A%2F%2Flocalhost%3A8080%2F_cms");

        let form =
            format!("grant_type=authorization_code&client_id={client}&code={code}&code_verifier={VERIFIER}&redirect_uri={CALLBACK}&x=1");
        let tokens = post(&site, "/token", FORM, form).await;
        assert_eq!((tokens.status.as_u16(), tokens.header("cache-control"), tokens.header("pragma")), (200, "no-store", "no-cache"));
        assert_eq!((tokens.header("access-control-allow-origin"), tokens.header("content-type")), ("*", "application/json"));
        let tokens = tokens.json();
        assert_eq!((&tokens["token_type"], &tokens["scope"]), (&json!("Bearer"), &json!("content:read")));
        let bearer = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
        site.read(None, "/_cms/api/content/posts", &[("authorization", &bearer)]).await.expect(200);
        let refused = site.read(None, "/_cms/api/oauth/grants", &[("authorization", &bearer)]).await;
        assert_eq!(refused.failure(), "403 SESSION_REQUIRED");

        let refresh = json!({ "grant_type": "refresh_token", "client_id": client, "refresh_token": tokens["refresh_token"] });
        let second = post(&site, "/token", "application/json", refresh.to_string()).await.json();
        let revoked = post(&site, "/revoke", FORM, format!("token={}", second["refresh_token"].as_str().unwrap())).await;
        assert_eq!(revoked.status, 200);
        let gone = site.read(None, "/_cms/api/content/posts", &[("authorization", &bearer)]).await;
        assert_eq!(gone.failure(), "401 INVALID_TOKEN");
    })
    .await;
}

#[tokio::test]
async fn faults_are_told_in_the_words_of_the_rfc() {
    site(|site| async move {
        let client = register(&site).await;
        let good = format!("grant_type=authorization_code&client_id={client}&code=x&code_verifier={VERIFIER}");
        for (content_type, body, fault) in [
            (FORM, String::new(), "invalid_request"),
            (FORM, "grant_type=password".to_owned(), "unsupported_grant_type"),
            (FORM, format!("{good}&client_id=again"), "invalid_request"),
            (FORM, good.replace(&client, "nobody"), "invalid_client"),
            (FORM, format!("{good}&client_secret=x"), "invalid_client"),
            (FORM, good.clone(), "invalid_grant"),
            (FORM, good.replace("&code=x", "&code="), "invalid_request"),
            ("application/json", r#"{"grant_type":7}"#.to_owned(), "invalid_request"),
            ("application/json", r#"{"grant_type":"a","grant_type":"b"}"#.to_owned(), "invalid_request"),
            ("application/json", r#"{"é":"a","é":"b"}"#.to_owned(), "invalid_request"),
            ("text/plain", good.clone(), "invalid_request"),
        ] {
            let answer = post(&site, "/token", content_type, body.clone()).await;
            let json = answer.json();
            assert_eq!((answer.status.as_u16(), &json["error"]), (400, &json!(fault)), "{body}");
            assert!(json.get("success").is_none());
            // RFC 6749, 5.2.
            let description = json["error_description"].as_str().unwrap();
            assert!(description.chars().all(|character| matches!(character, ' '..='!' | '#'..='[' | ']'..='~')), "{description}");
            assert_eq!(answer.header("cache-control"), "no-store");
        }
        let request = Request::post("/_cms/api/oauth/token").header("content-type", FORM).header("authorization", "Basic YTpi");
        let answer = site.send(request.body(Body::from(good)).unwrap()).await;
        assert_eq!((answer.status.as_u16(), answer.json()["error"].as_str().unwrap()), (401, "invalid_client"));
        assert_eq!(answer.header("www-authenticate"), "Basic realm=\"oauth\"");
        let large = post(&site, "/token", FORM, format!("grant_type={}", "x".repeat(65 * 1024))).await;
        assert_eq!((large.status.as_u16(), large.json()["error"].as_str().unwrap()), (413, "invalid_request"));
    })
    .await;
}

#[tokio::test]
async fn nobody_is_sent_anywhere_by_a_request_that_is_not_proven() {
    site(|site| async move {
        let client = register(&site).await;
        let elsewhere = query(&client).replace("7777%2Fcallback", "7777%2F%3Cscript%3Ealert(1)%3C%2Fscript%3E");
        for (asked, said) in [
            (query("nobody"), "names no application"),
            (query(&client).replace("http%3A%2F%2F127.0.0.1%3A7777", "https%3A%2F%2Fevil.example"), "application registered"),
            (elsewhere, "application registered"),
            (query(&client).replace("client_id=", "client="), "client_id"),
            (format!("{}&client_id=again", query(&client)), "given twice"),
            (query(&client).replace("response_type=code", "response_type=token"), "response_type is code"),
            (String::new(), "problems"),
        ] {
            let answer = get(&site, "localhost:8080", &format!("/_cms/oauth/authorize?{asked}")).await;
            let page = String::from_utf8(answer.bytes.clone()).unwrap();
            assert_eq!((answer.status.as_u16(), answer.header("location")), (400, ""), "{asked}");
            assert!(page.contains(said) && !page.contains("<script"), "{asked}: {page}");
            // The one style of the page, which nobody's words are in, and nothing else.
            let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
            let digest = STANDARD.encode(Sha256::digest(style));
            let policy =
                format!("default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
            assert_eq!(
                (answer.header("content-security-policy"), page.matches("<style").count(), page.contains("style=")),
                (&*policy, 1, false)
            );
        }
    })
    .await;
}

#[tokio::test]
async fn whoever_is_sent_here_in_vain_is_told_so_in_their_language() {
    site(|site| async move {
        for (asked, language, said) in
            [("de-CH, en;q=0.5", "de", "wurde nichts gewährt"), ("ar", "ar", "dir=\"rtl\""), ("pl", "en", "Nothing was granted")]
        {
            let request = Request::get("/_cms/oauth/authorize").header("host", "localhost:8080").header("accept-language", asked);
            let answer = site.send(request.body(Body::empty()).unwrap()).await;
            let page = String::from_utf8(answer.bytes.clone()).unwrap();
            assert!(page.contains(&format!("lang=\"{language}\"")) && page.contains(said), "{asked}: {page}");
            assert_eq!(answer.header("content-language"), language);
        }
    })
    .await;
}

#[tokio::test]
async fn no_page_of_others_and_no_token_decides_for_a_user() {
    site(|site| async move {
        let client = register(&site).await;
        let session = site.app.sign_in(Role::Editor).await.unwrap();
        let cookie = format!("cms_session={session}");
        let unmarked = decide(&site, &client, |request| request.header("cookie", &cookie)).await;
        assert_eq!(unmarked.failure(), "403 CSRF_REJECTED");
        let foreign = decide(&site, &client, |request| {
            request.header("cookie", &cookie).header("x-cms-request", "1").header("sec-fetch-site", "same-site")
        });
        assert_eq!(foreign.await.failure(), "403 CSRF_REJECTED");
        let bearer = format!("Bearer {}", site.token(Role::Admin));
        assert_eq!(decide(&site, &client, |request| request.header("authorization", bearer)).await.failure(), "403 SESSION_REQUIRED");
        assert_eq!(decide(&site, &client, |request| request).await.failure(), "401 NOT_AUTHENTICATED");
    })
    .await;
}

#[tokio::test]
async fn the_documents_name_this_server_as_it_was_asked_and_never_as_somebody_says() {
    const SERVER: &str = "/.well-known/oauth-authorization-server/_cms";
    site(|site| async move {
        for (host, origin) in [
            ("localhost:8080", "http://localhost:8080"),
            ("127.0.0.1:1234", "http://127.0.0.1:1234"),
            ("[::1]:1234", "http://[::1]:1234"),
            ("evil.example", "http://localhost:8080"),
        ] {
            let answer = get(&site, host, SERVER).await;
            let document = answer.json();
            assert_eq!(document["issuer"], format!("{origin}/_cms"), "{host}");
            assert_eq!(document["token_endpoint"], format!("{origin}/_cms/api/oauth/token"));
            assert_eq!(document["revocation_endpoint"], format!("{origin}/_cms/api/oauth/revoke"));
            assert_eq!(document["code_challenge_methods_supported"], json!(["S256"]));
            assert_eq!((answer.header("access-control-allow-origin"), answer.header("vary")), ("*", "host"));
        }
        let waiting = post(&site, "/device/code", FORM, "client_id=cms-cli&scope=content:read").await.json();
        assert_eq!(waiting["verification_uri"], "http://localhost:8080/_cms/admin/device");
        let ways: Value = get(&site, "localhost:8080", "/_cms/.well-known/auth").await.json();
        assert_eq!(ways["auth"]["methods"]["device_flow"]["client_id"], "cms-cli");
        let answer = get(&site.known_as("https://cms.example"), "localhost:8080", SERVER).await;
        assert_eq!((answer.json()["issuer"].as_str(), answer.header("vary")), (Some("https://cms.example/_cms"), ""));
    })
    .await;
}

#[tokio::test]
async fn pages_of_every_site_may_ask_and_only_in_the_ways_there_are() {
    site(|site| async move {
        for path in ["/token", "/register", "/revoke", "/device/code"] {
            let path = format!("/_cms/api/oauth{path}");
            let preflight = site.send(Request::options(&path).header("origin", "https://app.example").body(Body::empty()).unwrap()).await;
            assert_eq!((preflight.status.as_u16(), preflight.header("access-control-allow-origin")), (204, "*"));
            assert_eq!(preflight.header("access-control-allow-methods"), "POST, OPTIONS");
            let wrong = site.send(Request::get(&path).body(Body::empty()).unwrap()).await;
            assert_eq!(
                (wrong.status.as_u16(), wrong.header("allow"), &wrong.json()["error"]),
                (405, "POST, OPTIONS", &json!("invalid_request"))
            );
            assert!(wrong.headers.contains_key("x-request-id") && !wrong.headers.contains_key(header::SET_COOKIE));
        }
    })
    .await;
}

#[tokio::test]
async fn who_asks_too_often_is_told_when_to_come_back() {
    site(|site| async move {
        let ask = async || post(&site, "/device/code", FORM, "client_id=cms-cli").await;
        // Nobody knows the address: the count is the wide one.
        for _ in 0..200 {
            assert_eq!(ask().await.status, 200);
        }
        let refused = ask().await;
        assert_eq!((refused.status.as_u16(), &refused.json()["error"]), (429, &json!("temporarily_unavailable")));
        let seconds: u64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&seconds));
        site.app.clock().advance(std::time::Duration::from_secs(seconds));
        assert_eq!(ask().await.status, 200);
    })
    .await;
}
