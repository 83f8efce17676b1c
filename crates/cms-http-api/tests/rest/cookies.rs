//! Sessions as browsers have them: their cookies, their beginning and their end.

use std::time::Duration;

use axum::body::Body;
use cms_core::{tasks::driver::run_tasks, testing::TestApp};
use cms_domain::user::Role;
use cms_http_api::HttpOptions;

use crate::{
    gate::{me, open, request, sign_in},
    site::{Site, site},
};

fn https(site: &Site) -> Site {
    open(&site.known_as("https://cms.example"), HttpOptions::default())
}

/// The attributes of the cookie that signing in sets, in the order of the alphabet, and what signing out makes of it.
async fn attributes(site: &Site) -> (Vec<String>, Vec<String>) {
    let sorted = |cookie: &str| {
        let mut parts: Vec<_> = cookie.split("; ").map(str::to_owned).collect();
        parts[1..].sort_unstable();
        parts
    };
    let answer = site.send(request("POST", "/test/sign-in").body(Body::from(r#"{"role":30}"#)).unwrap()).await;
    let mut opened = sorted(answer.header("set-cookie"));
    let (name, secret) = opened[0].split_once('=').unwrap();
    assert_eq!(secret.len(), 43, "256 bits");
    let (name, cookie) = (name.to_owned(), opened[0].clone());
    opened[0] = name;
    let answer = site.send(request("POST", "/auth/logout").header("cookie", cookie).body(Body::from("{}")).unwrap()).await;
    (opened, sorted(answer.header("set-cookie")))
}

#[tokio::test]
async fn the_cookie_is_for_this_host_alone_and_for_no_script() {
    site(|site| async move {
        let month = "Max-Age=2592000";
        let (opened, closed) = attributes(&open(&site, HttpOptions::default())).await;
        assert_eq!(opened, ["cms_session", "HttpOnly", month, "Path=/", "SameSite=Lax"]);
        assert_eq!(closed, ["cms_session=", "HttpOnly", "Max-Age=0", "Path=/", "SameSite=Lax"]);
        let (opened, closed) = attributes(&https(&site)).await;
        assert_eq!(opened, ["__Host-cms_session", "HttpOnly", month, "Path=/", "SameSite=Lax", "Secure"]);
        assert_eq!(closed, ["__Host-cms_session=", "HttpOnly", "Max-Age=0", "Path=/", "SameSite=Lax", "Secure"]);
    })
    .await;
}

#[tokio::test]
async fn over_https_a_cookie_that_another_host_could_have_set_is_no_session() {
    site(|site| async move {
        let secret = sign_in(&open(&site, HttpOptions::default()), Role::Author, None).await;
        let site = https(&site);
        assert_eq!(me(&site, &secret).await.failure(), "401 NOT_AUTHENTICATED");
        let cookie = format!("__Host-cms_session={secret}");
        site.send(request("GET", "/auth/me").header("cookie", cookie).body(Body::empty()).unwrap()).await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn over_https_a_cookie_that_another_host_could_have_set_tells_no_browser_from_others() {
    site(|site| async move {
        let site = https(&site);
        let begin = async |cookie: &str| {
            let request = request("POST", "/auth/passkey/options").header("cookie", cookie.to_owned());
            site.send(request.body(Body::from("{}")).unwrap()).await.header("set-cookie").to_owned()
        };
        let planted = "A".repeat(43);
        let given = begin(&format!("cms_session_browser={planted}")).await;
        let (name, rest) = given.split_once('=').unwrap();
        assert_eq!(name, "__Host-cms_session_browser");
        assert!(!rest.starts_with(&planted) && rest.contains("; Secure") && rest.contains("; HttpOnly"), "{given}");
        assert_eq!(begin(given.split(';').next().unwrap()).await, "", "its own is kept");
    })
    .await;
}

#[tokio::test]
async fn a_secret_that_somebody_planted_opens_nothing_after_signing_in() {
    site(|site| async move {
        let site = open(&site, HttpOptions::default());
        let planted = "A".repeat(43);
        let secret = sign_in(&site, Role::Author, Some(&format!("cms_session={planted}"))).await;
        assert_ne!(secret, planted);
        assert_eq!(me(&site, &planted).await.failure(), "401 NOT_AUTHENTICATED");
        // A session of the attacker's own, planted in the browser, ends when somebody signs in over it.
        let attackers = sign_in(&site, Role::Subscriber, None).await;
        let victims = sign_in(&site, Role::Author, Some(&format!("cms_session={attackers}"))).await;
        assert_eq!(me(&site, &attackers).await.failure(), "401 NOT_AUTHENTICATED");
        assert_eq!(me(&site, &victims).await.expect(200)["email"], "author@example.com");
        let again = sign_in(&site, Role::Author, Some(&format!("cms_session={victims}"))).await;
        assert_ne!(again, victims);
        assert_eq!(me(&site, &victims).await.failure(), "401 NOT_AUTHENTICATED");
    })
    .await;
}

#[tokio::test]
async fn a_session_ends_when_nobody_uses_it_for_a_week() {
    site(|site| async move {
        let site = open(&site, HttpOptions::default());
        let secret = sign_in(&site, Role::Author, None).await;
        site.app.clock().advance(Duration::from_hours(7 * 24) - Duration::from_secs(1));
        me(&site, &secret).await.expect(200);
        site.app.settle().await.unwrap();
        site.app.clock().advance(Duration::from_hours(7 * 24) - Duration::from_secs(1));
        me(&site, &secret).await.expect(200);
        site.app.settle().await.unwrap();
        site.app.clock().advance(Duration::from_hours(7 * 24));
        assert_eq!(me(&site, &secret).await.failure(), "401 NOT_AUTHENTICATED");
    })
    .await;
}

#[tokio::test]
async fn a_session_ends_after_a_month_however_much_it_is_used() {
    site(|site| async move {
        let site = open(&site, HttpOptions::default());
        let secret = sign_in(&site, Role::Author, None).await;
        for _ in 0..29 {
            site.app.clock().advance(Duration::from_hours(24));
            me(&site, &secret).await.expect(200);
            site.app.settle().await.unwrap();
        }
        site.app.clock().advance(Duration::from_hours(24) - Duration::from_secs(1));
        me(&site, &secret).await.expect(200);
        site.app.clock().advance(Duration::from_secs(1));
        assert_eq!(me(&site, &secret).await.failure(), "401 NOT_AUTHENTICATED");
    })
    .await;
}

#[tokio::test]
async fn a_session_that_is_ended_is_dead_here_at_once_and_on_other_servers_within_moments() {
    site(|site| async move {
        let node = open(&site, HttpOptions::default());
        let other = site.beside(HttpOptions::default());
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let tasks = tokio::spawn(run_tasks(other.app.cms().clone(), async { drop(stopped.await) }));
        tokio::time::sleep(Duration::from_millis(200)).await;
        let (secret, admin) = (sign_in(&node, Role::Author, None).await, sign_in(&node, Role::Admin, None).await);
        me(&node, &secret).await.expect(200);
        me(&other, &secret).await.expect(200);
        let sessions = format!("/admin/users/{}/sessions", TestApp::user(Role::Author));
        let end = request("DELETE", &sessions).header("cookie", format!("cms_session={admin}"));
        node.send(end.body(Body::empty()).unwrap()).await.expect(200);
        assert_eq!(me(&node, &secret).await.failure(), "401 NOT_AUTHENTICATED");
        let mut waits = 0;
        while me(&other, &secret).await.status != 401 {
            waits += 1;
            assert!(waits < 60, "still alive on the other server after three seconds");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        drop(stop);
        tasks.await.unwrap();
    })
    .await;
}
